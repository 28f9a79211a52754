import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { makeAlias } from '../../testing/factories.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { dkimKeyPurpose } from '../dkim/dkim-keys.ts'
import { insertKey } from '../dkim/dkim-store.ts'
import { generateDkimKeyPair } from '../dkim/key-pair.ts'
import { netstring } from '../protocols/socketmap/netstring.ts'
import { MilterClient, say } from '../protocols/testing/milter-client.ts'
import { askPolicy } from '../protocols/testing/policy-client.ts'
import { TestClient } from '../protocols/testing/test-client.ts'
import type { GatewayPorts } from './mail-gateway.ts'

let server: DnsServer
let app: TestApp
let account: TestAccount
let ports: GatewayPorts
let list: string

beforeAll(async () => {
  server = await DnsServer.start()
  server.zone('partner.test')
  server.txt('partner.test', 'v=spf1 ip4:192.0.2.1 -all')
  server.zone('evil.test')
  server.zone('bank.test')
  server.txt('_dmarc.bank.test', 'v=DMARC1; p=reject')
  app = await createTestApp({
    DNS_SERVERS: server.address,
    MAIL_GATEWAY_POLICY: '127.0.0.1:0',
    MAIL_GATEWAY_MILTER: '127.0.0.1:0',
    MAIL_GATEWAY_SOCKETMAP: '127.0.0.1:0',
    MAILFLOW_AUTHSERV_ID: 'mx.acme.test',
    MAIL_DKIM: undefined,
  })
  account = await makeAccount(app)
  list = `team@${account.domain}`
  const id = await makeObject(account, 'groups', {
    email: list,
    members: [account.member.email, 'ann@partner.test'],
  })
  await account.as('owner', `POST /api/v4/groups/${id}/config`, { members_may_send: true })
  const values = [
    { userId: account.owner.id, key: 'externalsender_policy', value: 'true' },
    { userId: account.owner.id, key: 'greylist_policy', value: 'false' },
  ]
  await app.database.db.insertInto('userSettings').values(values).execute()
  ports = await app.gateway.start()
})
afterAll(async () => {
  await app.gateway.close()
  await app.close()
  await server[Symbol.asyncDispose]()
})

const action = (attributes: Record<string, string>) =>
  askPolicy(ports.policy, { client_address: '192.0.2.1', ...attributes })

test('mail that fails SPF is refused first', async () => {
  const refused = await action({
    sender: 'ann@partner.test',
    recipient: list,
    client_address: '198.51.100.1',
  })
  expect(refused).toBe('550 5.7.23 SPF check failed [S3]')
})

test('a list refuses senders that SPF proves and that may not send to it', async () => {
  const refused = await action({ sender: 'ned@partner.test', recipient: list })
  expect(refused).toBe('550 5.7.1 You are not allowed to send to this distribution list [L5]')
  expect(await action({ sender: 'ann@partner.test', recipient: list })).toMatch(/^PREPEND Received-SPF: Pass/)
})

test('senders whom only DKIM can prove are left to the milter', async () => {
  expect(await action({ sender: 'ann@evil.test', recipient: list })).toMatch(/^PREPEND Received-SPF: None/)
})

test('mail for others and other states are let through', async () => {
  expect(await action({ sender: 'ann@partner.test', recipient: account.member.email })).toMatch(/^PREPEND/)
  expect(await action({ sender: 'ann@partner.test', recipient: 'x@elsewhere.test' })).toMatch(
    /^(PREPEND|DUNNO)/,
  )
  expect(await action({ protocol_state: 'DATA', sender: 'ann@partner.test' })).toBe('DUNNO')
})

test('the metrics show how long the mail server waited, and what was decided', async () => {
  await action({ sender: 'ann@partner.test', recipient: list })
  const page = await app.metrics.metrics()
  expect(page).toMatch(
    /^gatehouse_mail_request_duration_seconds_count\{protocol="policy",request="[a-z-]+",outcome="answered"\} [1-9]/m,
  )
  expect(page).toMatch(/^gatehouse_mail_decisions_total\{policy="sender",result="accept"\} [1-9]/m)
  expect(page).toMatch(/^gatehouse_mail_connections_total\{protocol="policy",ending="finished"\} [1-9]/m)
})

test('without a policy that must not be skipped, senders have to try again later', async () => {
  await app.database.db.schema.alterTable('addresses').renameTo('addresses_away').execute()
  const answer = await action({ sender: 'ann@partner.test', recipient: list })
  await app.database.db.schema.alterTable('addresses_away').renameTo('addresses').execute()
  expect(answer).toBe('451 4.3.0 Mail policy unavailable, try again later')
})

/** Sends a message to the milter and returns its edits and verdict. */
async function mail(
  sender: string,
  recipients: readonly string[],
  headers: readonly (readonly [string, string])[],
  user = '',
) {
  const client = await MilterClient.connect(ports.milter ?? 0)
  const macros = user === '' ? [] : [say.macros('M', { '{auth_authen}': user })]
  client.send(say.connect(), say.helo(), ...macros, say.mail(sender))
  client.send(...recipients.map((recipient) => say.recipient(recipient)))
  client.send(...headers.map(([name, value]) => say.header(name, value)), say.endOfHeaders())
  client.send(say.end('Hello\r\n'))
  const replies = await client.verdict()
  client.send(say.quit())
  return replies.map((reply) => reply.replaceAll('\0', '|'))
}

test('the milter marks external senders and says what it checked', async () => {
  const replies = await mail(
    'ann@partner.test',
    [account.member.email],
    [
      ['From', ' Ann <ann@partner.test>'],
      ['Subject', ' Hi'],
      ['Authentication-Results', ' mx.acme.test; dkim=pass header.d=acme.test'],
    ],
  )
  expect(replies.filter((reply) => /^[im]/.test(reply))).toEqual([
    expect.stringMatching(/Authentication-Results\|\|$/i),
    expect.stringMatching(/Subject\| ?\[EXTERNAL\] Hi\|$/),
    expect.stringMatching(/Authentication-Results\| ?mx\.acme\.test; spf=(pass|fail)/),
  ])
})

test('the milter learns which domains send one-time codes', async () => {
  const codes = (subject: string) =>
    mail(
      'ann@partner.test',
      [account.member.email],
      [
        ['From', ' ann@partner.test'],
        ['Subject', subject],
      ],
    )
  const learned = () => app.database.db.selectFrom('greylistCodeSenders').select('senderDomain').execute()
  await codes(' Your order 123456')
  expect(await learned()).toEqual([])
  await codes(' =?utf-8?q?Your_verification_code?= is 123456')
  expect(await learned()).toEqual([{ senderDomain: 'partner.test' }])
})

test('the milter refuses mail for a list from a sender that nothing proves', async () => {
  const replies = await mail('ann@evil.test', [list], [['From', ' ann@evil.test']])
  expect(replies.at(-1)).toBe('y550 5.7.1 The sender could not be verified [L6]|')
})

test('the milter refuses a forged author if the domain asks for it', async () => {
  const forged = [['From', ' Bank <info@bank.test>']] as const
  const replies = await mail('ann@evil.test', [account.member.email], forged)
  expect(replies.at(-1)).toBe('y550 5.7.1 DMARC check failed [S5]|')
})

test('users who signed in send under their own addresses only', async () => {
  const { member, owner } = account
  const own = { sasl_username: member.email, recipient: 'ann@partner.test' }
  expect(await action({ ...own, sender: member.email })).toBe('DUNNO')
  const refusal = '553 5.7.1 Sender address not allowed for this user [M8]'
  expect(await action({ ...own, sender: owner.email })).toBe(refusal)
  const replies = await mail(member.email, ['ann@partner.test'], [['From', ` ${owner.email}`]], member.email)
  expect(replies.at(-1)).toBe(`y${refusal}|`)
})

test.each<[string, Record<string, string>, RegExp]>([
  ['without macros', {}, /^[ca]/],
  ['with an endless queue id', { i: 'Q'.repeat(60_000) }, /^[ca]/],
  ['with a queue id that no mail server makes', { i: "\u0001'; drop\r\nX: y" }, /^[ca]/],
  ['with an odd name of the client', { '{client_name}': 'a\r\nX: y' }, /^[ca]/],
  ['with an empty login', { '{auth_authen}': '' }, /^[ca]/],
  ['with a login of only spaces', { '{auth_authen}': '  ' }, /^y5/],
  ['with an endless login', { '{auth_authen}': `${'a'.repeat(60_000)}@partner.test` }, /^y5/],
  ['with a login that no user has', { '{auth_authen}': 'ann@partner.test\r\nX: y' }, /^y5/],
])('the milter answers a message %s', async (_, macros, verdict) => {
  const client = await MilterClient.connect(ports.milter ?? 0)
  client.send(say.connect(), say.helo(), say.macros('M', macros), say.mail('ann@partner.test'))
  client.send(say.recipient(account.member.email), say.header('From', ' ann@partner.test'))
  client.send(say.endOfHeaders(), say.end('Hello\r\n'))
  const replies = await client.verdict()
  client.send(say.quit())
  expect(replies.at(-1)).toMatch(verdict)
  expect(replies.join('')).not.toContain('X: y')
})

test('more recipients than the limits allow are held', async () => {
  const { member } = account
  const message = { sasl_username: member.email, sender: member.email, instance: 'many' }
  for (let at = 0; at < 101; at++) await action({ ...message, recipient: `reader${at}@partner.test` })
  const held = await action({ ...message, protocol_state: 'DATA', recipient_count: '101', queue_id: '4bQ1' })
  expect(held).toBe('HOLD Hourly limit of recipients reached, held for review [R6]')
})

test('the milter signs outgoing mail with the keys of the domain', async () => {
  const { member, domainId, domain } = account
  const pair = await generateDkimKeyPair('ed25519')
  const key = { domainId, selector: 'one', algorithm: 'ed25519', publicKey: pair.publicKey } as const
  const { db } = app.database
  await insertKey(
    db,
    { ...key, privateKey: app.secrets.encrypt(dkimKeyPurpose, pair.privateKey) },
    app.clock.now(),
  )
  await db.updateTable('dkimKeys').set({ state: 'active' }).where('domainId', '=', domainId).execute()
  const headers = [
    ['From', ` ${member.email}`],
    ['Subject', ' Hello'],
  ] as const
  const replies = await mail(member.email, ['ann@partner.test'], headers, member.email)
  const signature = replies.find((reply) => /DKIM-Signature/i.test(reply))
  expect(signature).toMatch(new RegExp(`d=${domain};.*s=one;`, 's'))
  expect(replies.at(-1)).toMatch(/^[ac]/)
})

/** Looks up a key and returns the reply of socketmap. */
async function lookUp(map: string, key: string): Promise<string | undefined> {
  const client = await TestClient.connect(ports.socketmap ?? 0)
  client.send(netstring(`${map} ${key}`))
  const reply = await client.receive((bytes) => {
    const text = bytes.toString()
    return text.endsWith(',') ? ([text.replace(/^\d+:/, '').slice(0, -1), bytes.length] as const) : undefined
  })
  client.end()
  return reply
}

test('the tables contain domains, users, aliases, lists and senders', async () => {
  const { domain, member, owner } = account
  await makeAlias(app, member, `other@${domain}`)
  await makeAlias(app, member, `catchall@${domain}`)
  expect(await lookUp('domains', domain)).toBe(`OK ${domain}`)
  expect(await lookUp('domains', 'elsewhere.test')).toBe('NOTFOUND ')
  expect(await lookUp('mailboxes', member.email.toUpperCase())).toBe(`OK ${member.email}`)
  expect(await lookUp('mailboxes', `other@${domain}`)).toBe('NOTFOUND ')
  expect(await lookUp('aliases', `other@${domain}`)).toBe(`OK ${member.email}`)
  expect(await lookUp('aliases', owner.email)).toBe(`OK ${owner.email}`)
  expect(await lookUp('aliases', `@${domain}`)).toBe(`OK ${member.email}`)
  expect(await lookUp('aliases', list)).toBe(`OK ann@partner.test,${member.email}`)
  expect(await lookUp('senders', `other@${domain}`)).toBe(`OK ${member.email}`)
  expect(await lookUp('senders', list)).toBe('NOTFOUND ')
  expect(await lookUp('constructor', 'x')).toBe('PERM Unknown map')
})

test('suspended users and lists get no mail', async () => {
  const { domain, controller } = account
  const id = await makeObject(account, 'groups', { email: `old@${domain}` })
  await app.database.db.updateTable('directoryObjects').set({ status: 6 }).where('id', '=', id).execute()
  await app.database.db.updateTable('users').set({ status: 6 }).where('id', '=', controller.id).execute()
  for (const map of ['mailboxes', 'aliases', 'senders']) {
    expect(await lookUp(map, controller.email)).toBe('NOTFOUND ')
    expect(await lookUp(map, `old@${domain}`)).toBe('NOTFOUND ')
  }
})
