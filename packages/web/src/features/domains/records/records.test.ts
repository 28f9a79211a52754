import type { DkimKeyStage, DnsRecord, DnsReport } from '@gatehouse/contract/directory/domains'
import { beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages, t } from '../../../i18n/i18n.ts'
import { differences } from './differences.ts'
import { countOk, isReplacingKey, lookOf, textsOf, untilNextLook } from './record-state.ts'
import { hostOf, zoneText } from './zone-text.ts'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('domains')
})

const record = (change: Partial<DnsRecord>): DnsRecord => ({
  kind: 'mx',
  type: 'MX',
  name: 'acme.test',
  wanted: [],
  found: [],
  state: 'unchecked',
  isOptional: false,
  ...change,
})

/** Puts the differing parts in brackets. */
const marked = (found: string, wanted: readonly string[]) =>
  differences(found, wanted)
    .map(({ text, differs }) => (differs ? `[${text}]` : text))
    .join('')

test.each([
  ['v=spf1 a mx ~all', ['v=spf1 include:spf.example.test -all'], 'v=spf1 [a mx ~all]'],
  ['v=spf1 a include:x -all', ['v=spf1 include:x -all'], 'v=spf1 [a] include:x -all'],
  ['v=DMARC1; p=none; rua=x', ['v=DMARC1; p=quarantine'], 'v=DMARC1; [p=none; rua=x]'],
  ['10 MX.elsewhere.test.', ['10 mx.example.test.'], '10 [MX.elsewhere.test.]'],
  ['20 mx.EXAMPLE.test.', ['10 mx.example.test.'], '[20] mx.EXAMPLE.test.'],
  ['', ['x'], ''],
])('in %j beside %j is marked %j', (found, wanted, expected) => {
  expect(marked(found, wanted)).toBe(expected)
})

test('keeps the whole value, whatever is highlighted', () => {
  const found = '  v=spf1   +a ;; mx;-all '
  const parts = differences(found, ['v=spf1 mx'])
  expect(parts.map(({ text }) => text).join('')).toBe(found)
})

test.each([
  ['acme.test', '@'],
  ['_dmarc.acme.test', '_dmarc'],
  ['sel._domainkey.acme.test', 'sel._domainkey'],
  ['notacme.test', 'notacme.test'],
])('the host of %j below acme.test is %j', (name, host) => {
  expect(hostOf(name, 'acme.test')).toBe(host)
})

test('writes zone lines with absolute names and quotes texts of any length', () => {
  const key = 'p'.repeat(300)
  const records = [
    record({ wanted: ['10 mx.example.test.', '20 mx2.example.test'] }),
    record({ type: 'TXT', name: 's._domainkey.acme.test', wanted: [key] }),
    record({ type: 'TXT', wanted: ['say "hi" \\'] }),
  ]
  expect(zoneText(records).split('\n')).toEqual([
    'acme.test. 3600 IN MX 10 mx.example.test.',
    'acme.test. 3600 IN MX 20 mx2.example.test.',
    `s._domainkey.acme.test. 3600 IN TXT "${'p'.repeat(255)}" "${'p'.repeat(45)}"`,
    String.raw`acme.test. 3600 IN TXT "say \"hi\" \\"`,
  ])
})

const dkim = (algorithm: 'rsa' | 'ed25519', stage: DkimKeyStage) =>
  record({ kind: 'dkim', type: 'TXT', key: { algorithm, stage } })

test.each([
  ['new', 'DKIM RSA (new)', 'New key. We sign mail with it once this record has been visible for a day.'],
  ['signing', 'DKIM RSA', 'Lets recipients verify the signature of your mail.'],
  ['old', 'DKIM RSA (old)', 'Old key. Keep this record until it disappears here.'],
] as const)('names a %s DKIM key and says what to do with it', (stage, label, use) => {
  expect(textsOf(dkim('rsa', stage), t)).toEqual({ label, use })
})

test('names a shared DKIM key without its algorithm', () => {
  expect(textsOf(record({ kind: 'dkim' }), t).label).toBe('DKIM')
})

test.each<[string, DnsRecord[], boolean]>([
  ['the first keys', [dkim('rsa', 'new'), dkim('ed25519', 'new')], false],
  [
    'keys that sign, with one that was never published',
    [dkim('rsa', 'signing'), dkim('ed25519', 'new')],
    false,
  ],
  ['a next key', [dkim('rsa', 'signing'), dkim('rsa', 'new')], true],
  ['an old key', [dkim('rsa', 'signing'), dkim('rsa', 'old')], true],
  ['no keys', [record({})], false],
])('with %s, a key is or is not being replaced', (_, records, expected) => {
  expect(isReplacingKey(records)).toBe(expected)
})

test('does not report optional records as missing', () => {
  expect(lookOf(record({ state: 'missing' })).tone).toBe('danger')
  expect(lookOf(record({ state: 'missing', isOptional: true })).tone).toBe('muted')
  expect(lookOf(record({ state: 'different', isOptional: true })).tone).toBe('warning')
})

test('refetches the report soon after the next check, but not too often', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const report = (nextCheckAt: string | null): DnsReport => ({ records: [], checkedAt: null, nextCheckAt })
  expect(untilNextLook(report(null), now)).toBe(false)
  expect(untilNextLook(report('2026-03-10 12:01:00'), now)).toBe(64_000)
  expect(untilNextLook(report('2026-03-10 11:00:00'), now)).toBe(15_000)
  expect(untilNextLook(report('2026-03-11 12:00:00'), now)).toBe(300_000)
  expect(countOk({ ...report(null), records: [record({ state: 'ok' }), record({})] })).toBe(1)
})
