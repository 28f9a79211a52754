import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MadeUser, makeAlias, makeDomain, makeUser } from '../../testing/factories.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { servicesHost, servicesSecret, withMailServices } from '../../testing/servers/mail-services.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { generateDkimKeyPair } from '../dkim/key-pair.ts'
import { keyRecord } from '../dkim/key-record.ts'
import { signMessage } from '../dkim/sign-message.ts'

let server: DnsServer
let app: TestApp
let owner: MadeUser
let jane: MadeUser

const serverId = 'mx.acme.test'

beforeAll(async () => {
  server = await DnsServer.start()
  app = await createTestApp({
    ...withMailServices,
    MAILFLOW_FILTER_MIB: '1',
    MAILFLOW_AUTHSERV_ID: serverId,
    DNS_SERVERS: server.address,
  })
  owner = await makeUser(app, { email: 'owner@other.test' })
  await makeDomain(app, 'acme.test', { walletId: owner.walletId })
  jane = await makeUser(app, { email: 'jane@acme.test', walletId: owner.walletId })
  await makeAlias(app, jane, 'alias@acme.test')
})
afterAll(async () => {
  await app.close()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await app.database.db.deleteFrom('userSettings').where('key', 'like', '%externalsender%').execute()
  await set(owner, 'externalsender_policy', 'true')
  await set(owner, 'externalsender_policy_domains', '["partner.test"]')
})

async function set(user: MadeUser, key: string, value: string): Promise<void> {
  const row = { userId: user.id, key, value }
  await app.database.db
    .insertInto('userSettings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['userId', 'key']).doUpdateSet({ value }))
    .execute()
}

const message = (from: string, ...fields: string[]) =>
  Buffer.from(
    [...fields, `From: ${from}`, 'Subject: Hello', 'Message-ID: <1@x>', '', 'Body', ''].join('\r\n'),
  )

async function filter(
  body: Buffer | string,
  {
    recipient = 'jane@acme.test',
    sender = 'ann@elsewhere.test',
    type = 'message/rfc822',
    secret = servicesSecret,
  } = {},
) {
  const query = new URLSearchParams({ recipient, sender }).toString()
  return app.call(`POST /api/webhooks/policy/mail/filter?${query}`, {
    host: servicesHost,
    headers: { 'x-services-secret': secret, 'content-type': type },
    body,
  })
}

test('mail from an external sender is marked, and everything else in it stays as it is', async () => {
  const { status, body, headers } = await filter(message('ann@elsewhere.test'))
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('message/rfc822')
  expect(String(headers['content-disposition'])).toMatch(/^attachment/)
  expect(body).toBe(message('ann@elsewhere.test').toString().replace('Hello', '[EXTERNAL] Hello'))
})

test('the decision is kept for the recipient', async () => {
  await app.decisions.settled()
  await app.database.db.deleteFrom('mailDecisions').execute()
  await filter(message('ann@elsewhere.test'))
  await app.decisions.settled()
  expect(await app.database.db.selectFrom('mailDecisions').selectAll().execute()).toMatchObject([
    { policy: 'external', reason: 'external.marked', objectId: jane.id, messageId: '<1@x>' },
  ])
})

test.each([
  ['an alias', 'alias@acme.test'],
  ['a tag', 'jane+news@acme.test'],
  ['several recipients', 'jane@acme.test,ned@acme.test'],
  ['an unknown address', 'nobody@acme.test'],
  ['no address', ''],
])('mail for %s is delivered unchanged', async (_, recipient) => {
  expect((await filter(message('ann@elsewhere.test'), { recipient })).status).toBe(204)
})

test('the setting of the user comes before that of the account', async () => {
  await set(jane, 'externalsender_config', 'false')
  expect((await filter(message('ann@elsewhere.test'))).status).toBe(204)
  await set(owner, 'externalsender_policy', 'false')
  await set(jane, 'externalsender_config', 'true')
  expect((await filter(message('ann@elsewhere.test'))).status).toBe(200)
})

test.each([
  [
    'a colleague whom the mail server proves',
    'ned@acme.test',
    `${serverId}; auth=pass smtp.auth=ned@acme.test`,
    204,
  ],
  [
    'a trusted domain that the mail server proves',
    'p@partner.test',
    `${serverId}; dkim=pass header.d=partner.test`,
    204,
  ],
  ['a forged colleague', 'ned@acme.test', `${serverId}; spf=fail smtp.mailfrom=ned@acme.test`, 200],
  [
    'a colleague proved by a server elsewhere',
    'ned@acme.test',
    'mx.evil.test; dkim=pass header.d=acme.test',
    200,
  ],
])('mail of %s (%s, %s) gets status %i', async (_, from, results, status) => {
  const answer = await filter(message(from, `Authentication-Results: ${results}`), { sender: from })
  expect(answer.status).toBe(status)
})

test('a colleague is proved by a DKIM signature, until the message is changed', async () => {
  const key = await generateDkimKeyPair('ed25519')
  const record = keyRecord('acme.test', 's1', key)
  server.zone('acme.test')
  server.txt(record.name, record.strings)
  const plain = message('ned@acme.test')
  const fields = await signMessage(plain, 'acme.test', [{ ...key, selector: 's1' }], app.clock.now())
  const signed = Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n`), plain])
  expect((await filter(signed, { sender: 'ned@acme.test' })).status).toBe(204)
  const forged = Buffer.from(signed.toString().replace('Body', 'Evil'))
  expect((await filter(forged, { sender: 'ned@acme.test' })).status).toBe(200)
})

test('a bounce is delivered unchanged', async () => {
  const bounce = message('MAILER-DAEMON@elsewhere.test')
  expect((await filter(bounce, { sender: '' })).status).toBe(204)
})

test('the message may be the file of a form', async () => {
  const form = (...parts: string[]) =>
    [...parts.map((part) => `--xyz\r\n${part}\r\n`), '--xyz--\r\n'].join('')
  const file = `Content-Disposition: form-data; name="file"; filename="m.eml"\r\n\r\n${message('ann@elsewhere.test').toString()}`
  const type = 'multipart/form-data; boundary=xyz'
  const { status, body } = await filter(form(file), { type })
  expect(status).toBe(200)
  expect(body).toBe(message('ann@elsewhere.test').toString().replace('Hello', '[EXTERNAL] Hello'))
  expect((await filter(form(file, file), { type })).status).toBe(500)
  expect((await filter(form('Content-Disposition: form-data; name="x"\r\n\r\nx'), { type })).status).toBe(500)
})

test('a message that is too large is delivered unchanged, whether its size was announced or not', async () => {
  const large = Buffer.concat([message('ann@elsewhere.test'), Buffer.alloc(1024 * 1024, 'x')])
  expect((await filter(large)).status).toBe(204)
  expect((await filter(large.subarray(0, 1024 * 1024))).status).toBe(200)
})

test('an empty body is a message without fields', async () => {
  const { status, body } = await filter('')
  expect([status, body]).toEqual([200, 'Subject: [EXTERNAL]\n'])
})

test('while no back end has calendars, invitations are delivered', async () => {
  await set(jane, 'itip_config', 'true')
  const invitation = message('ann@elsewhere.test', 'Content-Type: text/calendar; method=REQUEST')
  expect((await filter(invitation)).status).toBe(200)
  await set(jane, 'externalsender_config', 'false')
  expect((await filter(invitation)).status).toBe(204)
})

test('only mail servers that know the secret may use it', async () => {
  expect((await filter(message('ann@elsewhere.test'), { secret: 'x' })).status).toBe(404)
})

test('the mail server tries again later if the database is away', async () => {
  await app.database.db.schema.alterTable('addresses').renameTo('addresses_away').execute()
  const { status } = await filter(message('ann@elsewhere.test'))
  await app.database.db.schema.alterTable('addresses_away').renameTo('addresses').execute()
  expect(status).toBe(500)
})
