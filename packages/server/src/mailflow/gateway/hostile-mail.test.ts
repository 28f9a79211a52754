import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { administer } from '../../testing/database.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { netstring } from '../protocols/socketmap/netstring.ts'
import { MilterClient, say } from '../protocols/testing/milter-client.ts'
import { askPolicy } from '../protocols/testing/policy-client.ts'
import { TestClient } from '../protocols/testing/test-client.ts'
import type { GatewayPorts } from './mail-gateway.ts'

let server: DnsServer
let app: TestApp
let account: TestAccount
let ports: GatewayPorts

beforeAll(async () => {
  server = await DnsServer.start()
  for (const zone of ['loop.test', 'deep.test', 'huge.test', 'evil.test']) server.zone(zone)
  server.fail('silent.test', 'silent')
  server.fail('ring.test', 'loop')
  server.txt('loop.test', 'v=spf1 include:loop.test -all')
  server.txt(
    'deep.test',
    `v=spf1 ${Array.from({ length: 30 }, (_, n) => `a:h${n}.deep.test`).join(' ')} -all`,
  )
  server.txt('huge.test', [
    'v=spf1 ',
    ...Array.from({ length: 100 }, () => 'ip4:192.0.2.0/24 '.repeat(12)),
    '-all',
  ])
  app = await createTestApp({
    DNS_SERVERS: server.address,
    MAIL_GATEWAY_POLICY: '127.0.0.1:0',
    MAIL_GATEWAY_MILTER: '127.0.0.1:0',
    MAIL_GATEWAY_SOCKETMAP: '127.0.0.1:0',
    MAILFLOW_AUTHSERV_ID: 'mx.acme.test',
  })
  account = await makeAccount(app)
  ports = await app.gateway.start()
})
afterAll(async () => {
  await app.gateway.close()
  await app.close()
  await server[Symbol.asyncDispose]()
})

const action = (attributes: Record<string, string>) =>
  askPolicy(ports.policy, { client_address: '198.51.100.1', recipient: account.member.email, ...attributes })

test.each(['loop.test', 'deep.test', 'huge.test', 'silent.test', 'ring.test'])(
  'an SPF record that is asked for without end, too long or not answered refuses nothing (%s)',
  async (domain) => {
    expect(await action({ sender: `ann@${domain}` })).toMatch(
      /^450 4\.7\.1 Greylisted|^PREPEND Received-SPF: /,
    )
  },
)

test.each<Record<string, string>>([
  { sender: 'ann@evil.test\rX-Injected: yes' },
  { sender: '"a\\\rX: y"@evil.test' },
  { helo_name: 'a\rX-Injected: yes' },
])('text of a client adds no line to the answer: %j', async (attributes) => {
  const answer = await action({ sender: 'ann@evil.test', ...attributes })
  expect(answer).toMatch(/^(?:450|PREPEND|DUNNO)/)
  expect(answer).not.toMatch(/[\r\n]/)
})

test('a clock that jumps back and forth delays a sender by the usual time at most', async () => {
  const mail = { sender: 'bob@evil.test' }
  expect(await action(mail)).toContain('[G1]')
  app.clock.advance(-3600)
  expect(await action(mail)).toContain('[G2]')
  app.clock.advance(7200)
  expect(await action(mail)).toMatch(/^PREPEND/)
  app.clock.advance(-7200)
  expect(await action(mail)).toMatch(/^PREPEND/)
  app.clock.advance(3600)
})

test('a message for 10,000 recipients is answered', { timeout: 60_000 }, async () => {
  const client = await MilterClient.connect(ports.milter ?? 0)
  client.send(say.connect(), say.helo(), say.mail('ann@evil.test'))
  for (let at = 0; at < 10_000; at += 1000) {
    client.send(...Array.from({ length: 1000 }, (_, n) => say.recipient(`nobody${at + n}@${account.domain}`)))
  }
  client.send(say.header('From', ' ann@evil.test'), say.endOfHeaders(), say.end('Hello\r\n'))
  expect((await client.verdict()).at(-1)).toMatch(/^c/)
  client.send(say.quit())
})

test('while the database is away, each policy does what the setting says, and afterwards nothing is missing', async () => {
  const { rows } = await app.database.pool.query<{ name: string }>('select current_database() as name')
  const name = rows[0]?.name ?? ''
  const away = async (isAway: boolean) => {
    await administer(inject('adminUrl'), `alter database ${name} allow_connections ${!isAway}`)
    await administer(
      inject('adminUrl'),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
  }
  const socketmap = async () => {
    const client = await TestClient.connect(ports.socketmap ?? 0)
    client.send(netstring(`domains ${account.domain}`))
    client.end()
    return (await client.rest()).toString()
  }
  const tryLater = '451 4.3.0 Mail policy unavailable, try again later'
  const { email: login } = account.member
  expect(await action({ sender: 'carl@evil.test' })).toContain('[G1]')
  expect(await socketmap()).toContain('OK ')
  await away(true)
  try {
    // who the recipient is was kept in memory, and greylisting may be skipped
    expect(await action({ sender: 'dora@evil.test' })).toMatch(/^(?:PREPEND|DUNNO)/)
    expect(await action({ sender: 'carl@evil.test', recipient: account.controller.email })).toBe(tryLater)
    expect(await action({ sender: login, sasl_username: login })).toBe(tryLater)
    expect(await action({ sender: login, sasl_username: login, protocol_state: 'DATA' })).toBe(tryLater)
    expect(await socketmap()).toContain('TEMP ')
  } finally {
    await away(false)
  }
  expect(await action({ sender: 'carl@evil.test' })).toContain('[G2]')
  expect(await action({ sender: login, sasl_username: login, recipient: 'ann@evil.test' })).toBe('DUNNO')
  expect(await socketmap()).toContain('OK ')
  await app.decisions.settled()
  const decisions = await app.database.db
    .selectFrom('mailDecisions')
    .select(['sender', 'reason'])
    .where('sender', 'in', ['carl@evil.test', 'dora@evil.test'])
    .where('policy', 'in', ['greylist', 'sender'])
    .orderBy('id')
    .execute()
  expect(decisions.map(({ sender, reason }) => `${sender.split('@')[0]} ${reason}`)).toEqual([
    ...['carl sender.unverified', 'carl greylist.first-contact', 'dora sender.unverified'],
    ...['carl sender.unverified', 'carl greylist.too-early'],
  ])
})
