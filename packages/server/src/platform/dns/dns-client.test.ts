import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsFault, DnsServer } from '../../testing/servers/dns-server.ts'
import { DnsClient } from './dns-client.ts'

let server: DnsServer
let client: DnsClient

beforeAll(async () => {
  server = await DnsServer.start()
  client = new DnsClient({ servers: [server.address], timeout: 250 })
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

describe('a DNS lookup', () => {
  test('of TXT joins the parts of each record', async () => {
    server.txt('txt.test', 'one', ['v=spf1 ', 'include:', 'a.test'])
    const found = await client.txt('txt.test')
    expect(found).toEqual({ kind: 'found', values: ['one', 'v=spf1 include:a.test'] })
  })

  test('of MX returns lower-case hosts without the trailing dot, by preference', async () => {
    server.add(
      { name: 'mx.test', type: 'MX', data: { preference: 20, exchange: 'B.Mail.TEST' } },
      { name: 'mx.test', type: 'MX', data: { preference: 5, exchange: 'a.mail.test' } },
    )
    expect(await client.mx('mx.test')).toEqual({
      kind: 'found',
      values: [
        { priority: 5, host: 'a.mail.test' },
        { priority: 20, host: 'b.mail.test' },
      ],
    })
  })

  test('of a domain that accepts no mail returns an empty host', async () => {
    server.add({ name: 'null.test', type: 'MX', data: { preference: 0, exchange: '.' } })
    expect(await client.mx('null.test')).toEqual({ kind: 'found', values: [{ priority: 0, host: '' }] })
  })

  test('of a CNAME returns its target', async () => {
    server.add({ name: 'alias.test', type: 'CNAME', data: 'Target.Test' })
    expect(await client.cname('alias.test')).toEqual({ kind: 'found', values: ['target.test'] })
  })

  test('distinguishes a name without such records from a non-existent name', async () => {
    server.zone('bare.test')
    expect(await client.txt('bare.test')).toEqual({ kind: 'none', exists: true })
    expect(await client.txt('nowhere.test')).toEqual({ kind: 'none', exists: false })
  })

  test('with a response too long for UDP falls back to TCP', async () => {
    const long = 'x'.repeat(250)
    server.txt('long.test', ...Array.from({ length: 40 }, (_, index) => `${index} ${long}`))
    server.fail('long.test', 'truncated')
    const found = await client.txt('long.test')
    expect(found.kind === 'found' && found.values.length).toBe(40)
  })

  test("truncates oversized results and replaces characters that can't be displayed or stored", async () => {
    server.txt('flood.test', ...Array.from({ length: 80 }, (_, index) => `value ${index}`))
    const flood = await client.txt('flood.test')
    expect(flood.kind === 'found' && flood.values.length).toBe(50)
    server.txt('control.test', 'a\0b\u001b[31m\r\nc\u202e')
    const found = await client.txt('control.test')
    expect(found.kind).toBe('found')
    expect(found.kind === 'found' && found.values.join()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    server.txt(
      'huge.test',
      Array.from({ length: 60 }, () => 'y'.repeat(255)),
    )
    const huge = await client.txt('huge.test')
    expect(huge.kind === 'found' && huge.values[0]?.length).toBe(4096)
  })
})

describe('a name server', () => {
  test.each<Extract<DnsFault, string>>([
    'silent',
    'servfail',
    'refused',
    'garbage',
    'other id',
    'other question',
  ])(
    'that is %s gives no answer, in time',
    async (fault) => {
      const name = `${fault.replace(' ', '-')}.test`
      server.zone(name)
      server.txt(name, 'kolab-verify=x')
      server.fail(name, fault)
      const started = performance.now()
      expect(await client.txt(name)).toEqual({ kind: 'unknown' })
      expect(await client.exists(name)).toBeUndefined()
      expect(performance.now() - started).toBeLessThan(5000)
    },
    15_000,
  )

  test('that answers with a loop ends the lookup', async () => {
    server.fail('ring.test', 'loop')
    expect((await client.txt('ring.test')).kind).not.toBe('found')
    expect((await client.mx('ring.test')).kind).not.toBe('found')
  })

  test('that is down results in no answer', async () => {
    const nobody = new DnsClient({ servers: ['127.0.0.1:1'], timeout: 200 })
    expect(await nobody.txt('a.test')).toEqual({ kind: 'unknown' })
  })
})

describe('the existence of a name', () => {
  test('is checked with SOA and NS, never with ANY', async () => {
    server.zone('zone.test')
    server.txt('host.zone.test', 'x')
    server.questions.length = 0
    expect(await client.exists('zone.test')).toBe(true)
    expect(await client.exists('host.zone.test')).toBe(true)
    expect(await client.exists('missing.zone.test')).toBe(false)
    expect(server.questions.some((question) => question.startsWith('ANY'))).toBe(false)
  })
})
