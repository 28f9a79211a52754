import fc from 'fast-check'
import { sealMessage } from 'mailauth/lib/arc/index.js'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../platform/clock.ts'
import { DnsClient } from '../../platform/dns/dns-client.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { type DkimKeyPair, generateDkimKeyPair } from '../dkim/key-pair.ts'
import { keyRecord } from '../dkim/key-record.ts'
import { signMessage } from '../dkim/sign-message.ts'
import { checkSender } from './sender-check.ts'
import { SpfCheck } from './spf-check.ts'

const now = new Date('2026-11-26T12:00:00Z')
const limits = { time: 1500, questions: 40 }
const here = { clientAddress: '192.0.2.1', helo: 'mail.acme.test', sender: 'jane@acme.test' }

let server: DnsServer
let dns: DnsClient
let clock: ManualClock
let key: DkimKeyPair

beforeAll(async () => {
  server = await DnsServer.start()
  const options = { servers: [server.address], timeout: 5000 }
  dns = new DnsClient(options)
  key = await generateDkimKeyPair('rsa')
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

beforeEach(() => {
  server.remove('test')
  server.questions.length = 0
  clock = new ManualClock(now)
  server.txt('acme.test', 'v=spf1 ip4:192.0.2.0/24 -all')
  server.txt('_dmarc.acme.test', 'v=DMARC1; p=reject')
  for (const domain of ['acme.test', 'evil.test', 'lists.test']) {
    const record = keyRecord(domain, 's1', key)
    server.txt(record.name, record.strings)
  }
})

const newSpf = () =>
  new SpfCheck({ dns, clock, limits, cache: { seconds: 60, entries: 10 }, hostName: 'mx.our.test' })
const check = (message: string | Buffer, query = here) =>
  checkSender(Buffer.from(message), query, { dns, spf: newSpf(), clock, limits })
const mail = (from = 'Jane <jane@acme.test>', more = '') =>
  `From: ${from}\r\nTo: ned@our.test\r\nSubject: Hello\r\n${more}\r\nDear Ned,\r\n\r\nbye\r\n`

async function signed(text: string, domain: string): Promise<string> {
  const fields = await signMessage(
    Buffer.from(text),
    domain,
    [{ algorithm: 'rsa', selector: 's1', privateKey: key.privateKey }],
    now,
  )
  return `${fields.join('\r\n')}\r\n${text}`
}

/** Signs with what the library allows, also what our own signatures never have. */
async function signedWith(text: string, domain: string, more: object): Promise<string> {
  const options = {
    signTime: now,
    signatureData: [{ signingDomain: domain, selector: 's1', privateKey: key.privateKey, ...more }],
  }
  const { signatures } = await dkimSign(text, { ...options, ...more } as unknown as Parameters<
    typeof dkimSign
  >[1]) // its type lacks the list alone
  return signatures + text
}

describe('the sender of a message', () => {
  test('is proved by SPF, by DKIM, or by neither', async () => {
    const elsewhere = { ...here, clientAddress: '203.0.113.1', sender: 'bounce@evil.test' }
    expect(await check(mail())).toMatchObject({
      alignedDomain: 'acme.test',
      from: 'jane@acme.test',
      dmarc: { result: 'pass' },
    })
    const found = await check(await signed(mail(), 'acme.test'), elsewhere)
    expect(found).toMatchObject({
      alignedDomain: 'acme.test',
      dkim: [{ result: 'pass', domain: 'acme.test', selector: 's1' }],
    })
    const forged = await check(await signed(mail(), 'evil.test'), elsewhere)
    expect(forged).toMatchObject({
      alignedDomain: null,
      dkim: [{ result: 'pass' }],
      dmarc: { result: 'fail', policy: 'reject' },
    })
    expect(JSON.parse(JSON.stringify(forged))).toEqual(forged)
  })

  test.each([
    ['a second From field', mail('jane@acme.test', 'From: eve@evil.test\r\n')],
    ['two addresses', mail('jane@acme.test, eve@evil.test')],
  ])('is nobody with %s, and the policy of each author counts', async (_, text) => {
    const found = await check(await signed(text, 'evil.test'), {
      ...here,
      clientAddress: '203.0.113.1',
      sender: 'x@evil.test',
    })
    expect(found).toMatchObject({
      from: null,
      alignedDomain: null,
      dmarc: { result: 'fail', policy: 'reject' },
    })
  })

  test.each([
    ['covers only the start of the body', { maxBodyLength: 5 }],
    ['uses SHA-1', { algorithm: 'rsa-sha1' }],
    ['leaves out From', { headerList: 'subject:to' }],
  ])('is not proved by a signature that %s', async (_, more) => {
    const found = await check(await signedWith(mail(), 'acme.test', more), {
      ...here,
      clientAddress: '203.0.113.1',
    })
    expect(found).toMatchObject({
      alignedDomain: null,
      dkim: [{ result: 'policy' }],
      dmarc: { result: 'fail' },
    })
  })

  test.each([
    [
      'more authors than are looked up',
      mail('a@a.test, b@b.test, c@c.test, d@d.test, e@e.test, jane@acme.test'),
    ],
    ['an author after an endless header', `${'X: y\r\n'.repeat(30_000)}${mail()}`],
    ['an endless author', mail(`${'x'.repeat(20_000)} <jane@acme.test>`)],
  ])('fails DMARC with %s', async (_, text) => {
    const found = await check(text, { ...here, clientAddress: '203.0.113.1', sender: 'x@evil.test' })
    expect(found.dmarc).toMatchObject({ result: 'fail', policy: 'reject' })
  })

  test('with 10,000 recipients is checked', async () => {
    const list = Array.from({ length: 10_000 }, (_, at) => `user${at}@our.test`).join(',\r\n ')
    const text = await signed(mail().replace('ned@our.test', list), 'acme.test')
    expect((await check(text, { ...here, clientAddress: '203.0.113.1' })).alignedDomain).toBe('acme.test')
  })

  test('is held to strict alignment when the record asks for it', async () => {
    server.remove('_dmarc.acme.test')
    server.txt('_dmarc.acme.test', 'v=DMARC1; p=reject; sp=quarantine; adkim=s; aspf=s')
    const text = await signed(mail('jane@news.acme.test'), 'acme.test')
    expect(await check(text)).toMatchObject({
      alignedDomain: null,
      dmarc: { result: 'fail', policy: 'quarantine' },
    })
  })

  test('is not saved from its policy by slow name servers of somebody else', async () => {
    server.fail('slow.test', 'silent')
    const slow = Array.from(
      { length: 20 },
      (_, at) =>
        `DKIM-Signature: v=1; a=rsa-sha256; d=d${at}.slow.test; s=s; h=from; bh=${'x'.repeat(43)}=; b=abcd\r\n`,
    )
    const started = performance.now()
    const found = await check(slow.join('') + mail(), { ...here, sender: 'x@slow.test' })
    expect(found).toMatchObject({ spf: { result: 'temperror' }, dmarc: { result: 'fail', policy: 'reject' } })
    expect(found.dkim.length).toBeLessThanOrEqual(8)
    expect(performance.now() - started).toBeLessThan(limits.time + 5000)
  })

  test('is not saved from its policy by more signatures than may be looked up', async () => {
    const text = await signed(await signed(mail(), 'acme.test'), 'evil.test')
    // the record of the policy and one key
    const few = { ...limits, questions: 2 }
    const query = { ...here, clientAddress: '203.0.113.1', sender: 'x@evil.test' }
    const found = await checkSender(Buffer.from(text), query, { dns, spf: newSpf(), clock, limits: few })
    expect(found.dkim.map(({ result }) => result)).toEqual(['permerror', 'pass'])
    expect(found.dmarc.result).toBe('pass')
  })

  test('stays unknown while the name server of the author is silent', async () => {
    server.fail('acme.test', 'silent')
    expect(await check(mail())).toMatchObject({ alignedDomain: null, dmarc: { result: 'temperror' } })
  })
})

describe('a sealed message', () => {
  const sealWith = async (text: string, authResults: string, domain = 'lists.test') => {
    const seal = {
      signingDomain: domain,
      selector: 's1',
      privateKey: key.privateKey,
      cv: 'none',
      signTime: now,
      authResults,
    }
    return `${(await sealMessage(Buffer.from(text), seal)).toString()}${text}`
  }
  const elsewhere = { ...here, clientAddress: '203.0.113.1', sender: 'list@lists.test' }
  const passed = 'mx.lists.test; dmarc=pass header.from=acme.test'

  test('tells what its sealers saw', async () => {
    const found = await check(await sealWith(mail(), passed), elsewhere)
    expect(found.arc).toEqual({
      result: 'pass',
      seals: [{ domain: 'lists.test', passedDomain: 'acme.test' }],
    })
    const failing = await check(
      await sealWith(mail(), 'mx.lists.test; dmarc=fail header.from=acme.test'),
      elsewhere,
    )
    expect(failing.arc).toEqual({ result: 'pass', seals: [{ domain: 'lists.test', passedDomain: null }] })
  })

  test('proves nothing after a change', async () => {
    const text = await sealWith(mail(), passed)
    for (const [from, to] of [
      ['bye', 'buy'],
      ['dmarc=pass', 'dmarc=best'],
      ['d=lists.test', 'd=evil.test'],
    ] as const) {
      expect((await check(text.replace(from, to), elsewhere)).arc).toEqual({ result: 'fail', seals: [] })
    }
  })

  test.each([
    '__proto__.polluted=1',
    '__pro(x)to__.polluted=1',
    '__pro"to"__.polluted=1',
    '\\_"proto"_.polluted=1',
    "_'_p'roto__.polluted=1",
    'a=b __proto__.polluted=1',
  ])('with results of %j sets no property of other objects', async (text) => {
    const sealedText = await sealWith(mail(), `mx.lists.test; dmarc=pass ${text}`)
    await check(sealedText, elsewhere)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('polluted' in {}).toBe(false)
  })
})

test('no message makes a check fail, and none that was not signed is proved', async () => {
  const pieces = fc.constantFrom(
    'From: jane@acme.test\r\n',
    'From: <>\r\n',
    'From:',
    'DKIM-Signature: ',
    'ARC-Seal: i=1; ',
    'ARC-Message-Signature: i=1; ',
    'ARC-Authentication-Results: i=1; ',
    'v=1; ',
    'a=rsa-sha256; ',
    'd=acme.test; ',
    's=s1; ',
    'h=from:to; ',
    'bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; ',
    'b=AAAA',
    'cv=none; ',
    'c=simple/simple; ',
    'l=0; ',
    't=99999999999; ',
    'x=1; ',
    'i=@acme.test; ',
    '\r\n',
    '\n',
    '\r',
    ' ',
    '\0',
    '(',
    '"',
    '\\',
    ';',
    '=',
    '__proto__',
    'é',
    'Content-Type: multipart/mixed; boundary=',
  )
  const elsewhere = { ...here, clientAddress: '203.0.113.1' }
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 60 }), async (parts) => {
      const found = await check(parts.join(''), elsewhere)
      expect(found.alignedDomain).toBeNull()
    }),
    { numRuns: 150 },
  )
  expect(Object.keys(Object.prototype)).toEqual([])
})

test.each([
  ['blank lines', '\r\n'],
  ['lines of blanks', '\t \r\n'],
  ['line feeds', '\n'],
  ['one line', 'x'],
  ['ordinary lines', `${'x'.repeat(76)}\r\n`],
])(
  'a body of 10 MB of %s is checked or passed over in time',
  async (_, line) => {
    const head = await signed(mail(), 'acme.test')
    const body = line.repeat(Math.ceil(10_000_000 / line.length))
    const started = performance.now()
    const found = await check(head + body, { ...here, clientAddress: '203.0.113.1' })
    // blank lines at the end aren't signed
    expect(found.alignedDomain).toBe(line.trim() === '' && !line.includes('\t') ? 'acme.test' : null)
    expect(performance.now() - started).toBeLessThan(20_000)
  },
  40_000,
)
