import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hour, ManualClock } from '../../platform/clock.ts'
import { DnsClient } from '../../platform/dns/dns-client.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { SpfCheck } from './spf-check.ts'

const limits = { time: 1500, questions: 40 }
const here = { clientAddress: '192.0.2.1', helo: 'mail.acme.test', sender: 'jane@acme.test' }

let server: DnsServer
let dns: DnsClient
let clock: ManualClock

beforeAll(async () => {
  server = await DnsServer.start()
  const options = { servers: [server.address], timeout: 5000 }
  dns = new DnsClient(options)
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

beforeEach(() => {
  server.remove('test')
  server.questions.length = 0
  clock = new ManualClock(new Date('2026-11-26T12:00:00Z'))
  server.txt('acme.test', 'v=spf1 ip4:192.0.2.0/24 -all')
})

const newSpf = (entries = 100) =>
  new SpfCheck({ dns, clock, limits, cache: { seconds: hour, entries }, hostName: 'mx.our.test' })

describe('SPF', () => {
  test.each([
    ['192.0.2.7', 'pass'],
    ['203.0.113.1', 'fail'],
    ['::ffff:192.0.2.7', 'pass'],
    ['2001:db8::1', 'fail'],
    ['no address', 'none'],
  ])('of %s is %s', async (clientAddress, result) => {
    expect((await newSpf().check({ ...here, clientAddress })).result).toBe(result)
  })

  test('of the null sender is that of the name in HELO', async () => {
    server.txt('mail.acme.test', 'v=spf1 ip4:192.0.2.1 -all')
    expect(await newSpf().check({ ...here, sender: '' })).toEqual({
      result: 'pass',
      domain: 'mail.acme.test',
      identity: 'helo',
    })
    expect((await newSpf().check({ ...here, sender: '', helo: 'localhost' })).result).toBe('none')
  })

  test.each([
    ['a', [['A', 'acme.test', '198.51.100.7']], 'v=spf1 a -all', '198.51.100.7', 'pass'],
    ['mx', [['A', 'mx.acme.test', '198.51.100.8']], 'v=spf1 mx -all', '198.51.100.8', 'pass'],
    ['mx of another host', [['A', 'mx.acme.test', '198.51.100.8']], 'v=spf1 mx -all', '198.51.100.9', 'fail'],
    [
      'include',
      [['TXT', 'spf.acme.test', 'v=spf1 ip4:198.51.100.1 -all']],
      'v=spf1 include:spf.acme.test ~all',
      '198.51.100.1',
      'pass',
    ],
    [
      'redirect',
      [['TXT', 'spf.acme.test', 'v=spf1 ip4:198.51.100.1 -all']],
      'v=spf1 redirect=spf.acme.test',
      '198.51.100.2',
      'fail',
    ],
  ] as const)('follows %s', async (_, records, text, clientAddress, result) => {
    server.remove('acme.test')
    server.txt('acme.test', text)
    server.add({ name: 'acme.test', type: 'MX', data: { preference: 1, exchange: 'mx.acme.test' } })
    for (const [type, name, data] of records) server.add({ name, type, data })
    expect((await newSpf().check({ ...here, clientAddress })).result).toBe(result)
  })

  test.each([
    ['that includes itself', 'v=spf1 include:evil.test -all'],
    ['that redirects to itself', 'v=spf1 redirect=evil.test'],
    [
      'with more than ten look-ups',
      `v=spf1 ${Array.from({ length: 12 }, (_, at) => `a:a${at}.evil.test`).join(' ')} -all`,
    ],
    ['with names that there are not', 'v=spf1 a:x1.void.test a:x2.void.test a:x3.void.test -all'],
    ['with a second record', 'v=spf1 -all', 'v=spf1 +all'],
    ['that is no record', 'v=spf1 all:everyone ip4:1.2.3.4/99'],
  ])('of a domain %s is a permanent error', async (_, ...texts) => {
    server.zone('void.test')
    server.txt('evil.test', ...texts)
    for (let at = 0; at < 12; at++) server.add({ name: `a${at}.evil.test`, type: 'A', data: '198.51.100.1' })
    expect((await newSpf().check({ ...here, sender: 'x@evil.test' })).result).toBe('permerror')
    expect(server.questions.length).toBeLessThan(60)
  })

  test('asks a bounded number of questions for a record of many mail servers', async () => {
    server.txt(
      'evil.test',
      `v=spf1 ${Array.from({ length: 10 }, (_, at) => `mx:m${at}.evil.test`).join(' ')} -all`,
    )
    for (let at = 0; at < 10; at++) {
      for (let host = 0; host < 10; host++) {
        const exchange = `h${host}.m${at}.evil.test`
        server.add(
          { name: `m${at}.evil.test`, type: 'MX', data: { preference: host, exchange } },
          { name: exchange, type: 'A', data: '198.51.100.1' },
        )
      }
    }
    const { result } = await newSpf().check({ ...here, sender: 'x@evil.test' })
    expect([result, server.questions.length <= 2 * limits.questions]).toEqual(['permerror', true])
  })

  test.each(['silent', 'servfail', 'refused', 'garbage'] as const)(
    'of a server that is %s is a temporary error, in time',
    async (fault) => {
      server.txt('evil.test', 'v=spf1 a:a.slow.test include:spf.slow.test -all')
      server.fail('slow.test', fault)
      const started = performance.now()
      expect((await newSpf().check({ ...here, sender: 'x@evil.test' })).result).toBe('temperror')
      expect(performance.now() - started).toBeLessThan(limits.time + 5000)
    },
  )

  test('of a server that answers late waits for it, but not for a chain of such answers', async () => {
    server.txt('evil.test', 'v=spf1 include:once.evil.test -all')
    server.txt('once.evil.test', 'v=spf1 ip4:192.0.2.1 -all')
    server.txt('chain.evil.test', 'v=spf1 include:chain1.evil.test -all')
    for (let at = 1; at < 9; at++) {
      server.txt(`chain${at}.evil.test`, `v=spf1 include:chain${at + 1}.evil.test -all`)
    }
    server.fail('evil.test', { late: limits.time / 4 })
    expect((await newSpf().check({ ...here, sender: 'x@evil.test' })).result).toBe('pass')
    server.questions.length = 0
    const started = performance.now()
    const { result } = await newSpf().check({ ...here, sender: 'x@chain.evil.test' })
    expect([result, performance.now() - started < limits.time + 5000]).toEqual(['temperror', true])
    expect(server.questions.length).toBeLessThan(9)
  })

  test('of names that are aliases in a ring ends', async () => {
    server.txt('evil.test', 'v=spf1 a:ring.test include:ring.test -all')
    server.fail('ring.test', 'loop')
    expect(['temperror', 'permerror']).toContain(
      (await newSpf().check({ ...here, sender: 'x@evil.test' })).result,
    )
  })
})

describe('the cache of SPF', () => {
  const questions = async (spf: SpfCheck, more: Partial<typeof here>) => {
    server.questions.length = 0
    await spf.check({ ...here, ...more })
    return server.questions.length
  }

  test('holds for one address and one domain, as long as its time', async () => {
    const spf = newSpf()
    expect(await questions(spf, {})).toBe(1)
    expect(await questions(spf, { sender: 'ned@ACME.test' })).toBe(0)
    expect(await questions(spf, { clientAddress: '192.0.2.2' })).toBe(1)
    expect(await questions(spf, { sender: 'jane@evil.test' })).toBe(1)
    clock.advance(hour)
    expect(await questions(spf, {})).toBe(1)
    clock.advance(-10)
    expect(await questions(spf, {})).toBe(1)
  })

  test('drops the oldest of too many results', async () => {
    const spf = newSpf(2)
    for (const last of [1, 2, 3]) await spf.check({ ...here, clientAddress: `192.0.2.${last}` })
    expect(await questions(spf, { clientAddress: '192.0.2.3' })).toBe(0)
    expect(await questions(spf, { clientAddress: '192.0.2.1' })).toBe(1)
  })

  test('keeps no failure, and no result that depends on the sender', async () => {
    const spf = newSpf()
    server.txt('macro.test', 'v=spf1 exists:%{l}.users.test -all')
    server.add({ name: 'jane.users.test', type: 'A', data: '127.0.0.2' })
    expect((await spf.check({ ...here, sender: 'jane@macro.test' })).result).toBe('pass')
    expect((await spf.check({ ...here, sender: 'eve@macro.test' })).result).toBe('fail')
    server.fail('later.test', 'servfail')
    expect((await spf.check({ ...here, sender: 'a@later.test' })).result).toBe('temperror')
    server.remove('later.test')
    server.txt('later.test', 'v=spf1 +all')
    expect((await spf.check({ ...here, sender: 'a@later.test' })).result).toBe('pass')
  })
})
