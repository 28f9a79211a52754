import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { type MadeUser, makeDomain, makeUser } from '../../testing/factories.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import {
  secondProcess,
  servicesHost,
  servicesSecret,
  withMailServices,
} from '../../testing/servers/mail-services.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { noteCorrespondents } from '../greylist/correspondent-store.ts'
import { Greylisting } from '../greylist/greylisting.ts'
import { RecipientLookup } from '../recipients/recipient-lookup.ts'

const dns = await DnsServer.start()
afterAll(() => dns[Symbol.asyncDispose]())

const settings = { ...withMailServices, DNS_SERVERS: dns.address }
const app = useTestApp(settings)
const day = 86_400
let owner: MadeUser
let jane: MadeUser

beforeAll(async () => {
  owner = await makeUser(app(), { email: 'owner@acme.test' })
  await makeDomain(app(), 'acme.test', { walletId: owner.walletId })
  jane = await makeUser(app(), { email: 'jane@acme.test', walletId: owner.walletId })
})

const message = { client_address: '192.0.2.10', client_name: 'mx.far.test', recipient: 'jane@acme.test' }
const call = (fields: object, calls: Pick<ReturnType<typeof app>, 'call'> = app()) =>
  calls.call('POST /api/webhooks/policy/greylist', {
    host: servicesHost,
    headers: { 'x-services-secret': servicesSecret, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })

/** Names of the reasons, oldest first. */
async function reasons(): Promise<string[]> {
  await app().decisions.settled()
  const { db } = app().database
  const rows = await db
    .selectFrom('mailDecisions')
    .select('reason')
    .orderBy('decidedAt')
    .orderBy('id')
    .execute()
  return rows.map(({ reason }) => reason.replace('greylist.', ''))
}

/** Sends a message and returns the code of the decision. */
async function codeOf(fields: object): Promise<string | undefined> {
  await app().decisions.settled()
  await app().database.db.deleteFrom('mailDecisions').execute()
  await call({ ...message, ...fields })
  return (await reasons())[0]
}

let count = 0
/** A domain that no other test uses. */
const newSender = () => `ann@sender${++count}.test`

async function setSetting(user: MadeUser, key: string, value: string | null): Promise<void> {
  const { db } = app().database
  await db.deleteFrom('userSettings').where('userId', '=', user.id).where('key', '=', key).execute()
  if (value !== null) await db.insertInto('userSettings').values({ userId: user.id, key, value }).execute()
}

describe('a first message', () => {
  test('is delayed with a text that names the code, and accepted five minutes later', async () => {
    const sender = newSender()
    expect(await call({ ...message, sender })).toMatchObject({
      status: 403,
      body: {
        response: 'DEFER_IF_PERMIT',
        reason: '450 4.7.1 Greylisted, please try again in a few minutes [G1]',
      },
    })
    app().clock.advance(299)
    expect((await call({ ...message, sender })).body.reason).toMatch(/\[G2\]$/)
    app().clock.advance(1)
    const { status, body } = await call({ ...message, sender })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        response: 'DUNNO',
        prepend: [
          expect.stringMatching(/^Received-Greylist: delayed from \d{4}-\S+ \S+ UTC to \S+ \S+ UTC$/),
        ],
      },
    })
  })

  test('may come as a form, from another address of the network, with another bounce address', async () => {
    const form = (fields: Record<string, string>) =>
      app().call('POST /api/webhooks/policy/greylist', {
        host: servicesHost,
        headers: { 'x-services-secret': servicesSecret, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...message, ...fields }).toString(),
      })
    expect((await form({ sender: 'bounce-4711@form.test' })).status).toBe(403)
    app().clock.advance(300)
    expect((await form({ sender: 'bounce-4712@form.test', client_address: '192.0.2.99' })).status).toBe(200)
    expect((await form({ sender: 'bounce-4712@form.test', client_address: '192.0.3.99' })).status).toBe(403)
  })

  test('is a first one again after 7 days, or 35 days after it passed', async () => {
    const sender = newSender()
    expect(await codeOf({ sender })).toBe('first-contact')
    app().clock.advance(8 * day)
    expect(await codeOf({ sender })).toBe('first-contact')
    app().clock.advance(300)
    expect(await codeOf({ sender })).toBe('waited')
    app().clock.advance(34 * day)
    expect(await codeOf({ sender })).toBe('waited')
    app().clock.advance(36 * day)
    expect(await codeOf({ sender })).toBe('first-contact')
  })

  test('that comes ten times at once, over two processes, is one contact', async () => {
    const sender = newSender()
    await using other = await secondProcess(app(), settings)
    const send = () =>
      Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          call(
            { ...message, sender },
            at % 2
              ? app()
              : {
                  call: other.call,
                },
          ),
        ),
      )
    for (const { status } of await send()) expect(status).toBe(403)
    const contacts = await app().database.db.selectFrom('greylistContacts').selectAll().execute()
    expect(contacts.filter(({ senderDomain }) => sender.endsWith(senderDomain))).toHaveLength(1)
    app().clock.advance(300)
    for (const { status } of await send()) expect(status).toBe(200)
  })

  test('is recorded with its facts, for the recipient and the account', async () => {
    const sender = newSender()
    await codeOf({ sender, recipient: 'Jane+News@ACME.test' })
    const [row] = await app().database.db.selectFrom('mailDecisions').selectAll().execute()
    expect(row).toMatchObject({
      ...{ policy: 'greylist', direction: 'in', sender, recipient: 'jane+news@acme.test' },
      ...{ walletId: owner.walletId, objectKind: 'user', objectId: jane.id, clientAddress: '192.0.2.10' },
      facts: { sender, delay: 300, recipient: { kind: 'user', id: jane.id, greylisting: true } },
    })
  })
})

describe('greylisting is skipped', () => {
  beforeEach(() => dns.remove('test'))

  test('for senders that SPF proves, and not for a server with a proved name that sends a bounce', async () => {
    dns.txt('proved.test', 'v=spf1 ip4:192.0.2.10 -all')
    expect(await codeOf({ sender: 'ann@proved.test' })).toBe('authenticated-sender')
    expect(await codeOf({ sender: 'ann@proved.test', client_address: '192.0.2.11' })).toBe('first-contact')
    expect(await codeOf({ sender: '', client_name: 'proved.test' })).toBe('first-contact')
  })

  test('for people whom the recipient has written to, unless SPF fails', async () => {
    const { database, clock } = app()
    const sender = newSender()
    await noteCorrespondents(database.db, clock, jane.id, [sender.replace('@', '+News@'), 'no address', ''])
    expect(await codeOf({ sender })).toBe('known-correspondent')
    expect(await codeOf({ sender, recipient: 'owner@acme.test' })).toBe('first-contact')
    dns.txt(sender.split('@')[1] ?? '', 'v=spf1 -all')
    expect(await codeOf({ sender, client_address: '192.0.2.77' })).toBe('first-contact')
  })

  test('for domains that send one-time codes', async () => {
    const parts = { ...app(), ...app().database }
    const greylisting = new Greylisting({ ...parts, recipients: new RecipientLookup(parts) })
    const learn = (domain: string, subject: string) =>
      greylisting.learn({
        ...{ sender: `noreply@${domain}`, subject, authentication: { method: 'dkim', domain } },
      })
    await learn('codes.test', 'Your verification code is 123456')
    await learn('shop.test', 'Your order 123456')
    expect(await codeOf({ sender: 'noreply@codes.test' })).toBe('one-time-codes')
    expect(await codeOf({ sender: 'noreply@shop.test' })).toBe('first-contact')
    app().clock.advance(36 * day)
    expect(await codeOf({ sender: 'noreply@codes.test' })).toBe('first-contact')
    await learn('codes.test', 'Your verification code is 123456')
    expect(await codeOf({ sender: 'noreply@codes.test' })).toBe('one-time-codes')
  })

  test('for a server once four contacts of a domain have passed', async () => {
    const domain = newSender().split('@')[1]
    const senders = ['a', 'b', 'c', 'd'].map((local) => `${local}@${domain}`)
    for (const sender of senders) expect(await codeOf({ sender })).toBe('first-contact')
    app().clock.advance(300)
    for (const sender of senders) expect(await codeOf({ sender })).toBe('waited')
    const { body } = await call({ ...message, sender: `e@${domain}` })
    expect(body.prepend).toEqual([expect.stringContaining(`${domain} from 192.0.2.0/24 known since`)])
    expect(await codeOf({ sender: `e@${domain}`, recipient: 'owner@acme.test' })).toBe('known-server')
    expect(await codeOf({ sender: `e@${domain}`, client_address: '198.51.100.1' })).toBe('first-contact')
    app().clock.advance(36 * day)
    expect(await codeOf({ sender: `f@${domain}` })).toBe('first-contact')
  })

  test.each([
    ['of a user by its own setting', 'false', null, 'off'],
    ["of a user by the account's policy", null, 'false', 'off'],
    ["not if the user's setting says otherwise", 'true', 'false', 'first-contact'],
    ['not by default', null, null, 'first-contact'],
  ])('%s', async (_, own, account, code) => {
    await setSetting(jane, 'greylist_enabled', own)
    await setSetting(owner, 'greylist_policy', account)
    expect(await codeOf({ sender: newSender() })).toBe(code)
    await setSetting(jane, 'greylist_enabled', null)
    await setSetting(owner, 'greylist_policy', null)
  })

  test('for recipients that are not here', async () => {
    const { status, body } = await call({ ...message, sender: newSender(), recipient: 'jane@elsewhere.test' })
    const answer = { response: 'DUNNO', prepend: ['Received-Greylist: not applied'] }
    expect({ status, body }).toEqual({ status: 200, body: answer })
    expect(await codeOf({ sender: newSender(), recipient: 'nobody@acme.test' })).toBe('unknown-recipient')
  })
})

test.each(['groups', 'resources', 'shared-folders'] as const)(
  "greylisting of %s follows the account's policy",
  async (kind) => {
    const account = await makeAccount(app())
    const id = await makeObject(account, kind)
    const { email: recipient } = await app()
      .database.db.selectFrom('directoryObjects')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(await codeOf({ sender: newSender(), recipient })).toBe('first-contact')
    await setSetting(account.owner, 'greylist_enabled', 'false')
    expect(await codeOf({ sender: newSender(), recipient })).toBe('first-contact')
    await setSetting(account.owner, 'greylist_policy', 'false')
    expect(await codeOf({ sender: newSender(), recipient })).toBe('off')
  },
)
