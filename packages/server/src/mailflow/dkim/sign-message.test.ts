import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../platform/clock.ts'
import { DnsClient } from '../../platform/dns/dns-client.ts'
import { zoneFileText } from '../../platform/dns/text-record.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { checkSender } from '../sender-authentication/sender-check.ts'
import { SpfCheck } from '../sender-authentication/spf-check.ts'
import { dkimAlgorithms, generateDkimKeyPair } from './key-pair.ts'
import { keyRecord } from './key-record.ts'
import { newSelector } from './selector.ts'
import { DkimSigningError, signMessage } from './sign-message.ts'

const now = new Date('2026-11-26T12:00:00Z')
const message = Buffer.from(
  ['From: Jane <jane@acme.test>', 'To: ned@else.test', 'Subject: Hello', '', 'Dear Ned,', '', 'bye', ''].join(
    '\r\n',
  ),
)

async function keyFor(algorithm: 'rsa' | 'ed25519') {
  const pair = await generateDkimKeyPair(algorithm)
  const selector = newSelector(now, algorithm, new Set())
  return { ...pair, selector, record: keyRecord('acme.test', selector, pair) }
}

describe('the record of a key', () => {
  test.each(dkimAlgorithms)('of %s is split into strings of at most 255 characters', async (algorithm) => {
    const { record } = await keyFor(algorithm)
    expect(record.strings.join('')).toBe(record.text)
    expect(record.strings.map(({ length }) => length <= 255)).not.toContain(false)
    expect(record.strings.length).toBe(algorithm === 'rsa' ? 2 : 1)
    expect(record.name).toBe(`d20261126${algorithm === 'rsa' ? 'r' : 'e'}._domainkey.acme.test`)
  })

  test('is quoted for zone files', () => {
    expect(zoneFileText(['v=DKIM1; p=', 'a"b\\'])).toBe('"v=DKIM1; p=" "a\\"b\\\\"')
  })
})

test('a selector is unique among the keys that the domain has or had', () => {
  const used = new Set<string>()
  for (let count = 0; count < 3; count++) used.add(newSelector(now, 'rsa', used))
  expect([...used]).toEqual(['d20261126r', 'd20261126r2', 'd20261126r3'])
})

describe('a signed message', () => {
  test('is verified with the keys in the DNS, until it is changed', async () => {
    await using server = await DnsServer.start()
    const client = { servers: [server.address], timeout: 2000 }
    const dns = new DnsClient(client)
    const clock = new ManualClock(now)
    const limits = { time: 10_000, questions: 40 }
    const spf = new SpfCheck({
      dns,
      clock,
      limits,
      cache: { seconds: 60, entries: 10 },
      hostName: 'mx.else.test',
    })
    const keys = await Promise.all(dkimAlgorithms.map(keyFor))
    for (const { record } of keys) server.txt(record.name, record.strings)

    const fields = await signMessage(message, 'acme.test', keys, now)
    expect(fields.length).toBe(2)
    const signed = Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n`), message])
    const query = { clientAddress: '192.0.2.1', helo: 'mail.acme.test', sender: 'jane@acme.test' }
    const check = (bytes: Buffer) => checkSender(bytes, query, { dns, spf, clock, limits })

    const found = await check(signed)
    expect(found.dkim.map(({ result }) => result)).toEqual(['pass', 'pass'])
    expect(found.alignedDomain).toBe('acme.test')
    const lfOnly = Buffer.from(signed.toString().replaceAll('\r\n', '\n'))
    expect((await check(lfOnly)).alignedDomain).toBe('acme.test')
    for (const [text, changed] of [
      ['Hello', 'Hullo'],
      ['bye', 'buy'],
      ['jane@acme', 'boss@acme'],
    ] as const) {
      expect((await check(Buffer.from(signed.toString().replace(text, changed)))).alignedDomain).toBeNull()
    }
  })

  test('is refused for a key that cannot be read, and for names that would break the field', async () => {
    const key = { algorithm: 'rsa', selector: 'a', privateKey: 'no key' } as const
    await expect(signMessage(message, 'acme.test', [key], now)).rejects.toThrow(DkimSigningError)
    await expect(signMessage(message, 'acme.test\r\nX: y', [], now)).rejects.toThrow(DkimSigningError)
    await expect(signMessage(message, 'acme.test', [{ ...key, selector: 'a; d=b' }], now)).rejects.toThrow(
      DkimSigningError,
    )
  })
})
