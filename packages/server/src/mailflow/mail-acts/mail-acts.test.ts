import { beforeEach, describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { withMailServices } from '../../testing/servers/mail-services.ts'
import { askPolicy } from '../../testing/servers/policy-calls.ts'
import { useTestApp } from '../../testing/test-app.ts'

const dns = await DnsServer.start()
const app = useTestApp({ ...withMailServices, DNS_SERVERS: dns.address })
let account: TestAccount
let other: TestAccount

beforeEach(async () => {
  app().clock.advance(2 * day)
  account = await makeAccount(app())
  other = await makeAccount(app())
  return () => undefined
})

const sender = 'ann@far.test'
const receive = async () => {
  const fields = { recipient: account.member.email, client_address: '192.0.2.10', client_name: 'mx.far.test' }
  return (await askPolicy(app(), 'greylist', { sender, ...fields })).response
}

async function hold(): Promise<string> {
  const recipients = Array.from({ length: 101 }, (_, at) => `reader${at}@far.test`)
  const { response } = await askPolicy(app(), 'ratelimit', {
    ...{ sender: account.member.email, recipients, queue_id: `4b${account.member.id}` },
  })
  expect(response).toBe('HOLD')
  const { body } = await account.as('owner', 'GET /api/v4/mail/held')
  expect(body.list).toMatchObject([
    { userId: account.member.id, recipientCount: 101, reason: 'rate.recipients-per-hour' },
  ])
  return body.list[0].id
}

const mail = () => ({ recipient: account.member.email, sender })

describe('delayed mail', () => {
  test.each(['member', 'owner', 'controller'] as const)('is let through by the %s', async (who) => {
    expect(await receive()).toBe('DEFER_IF_PERMIT')
    expect((await account.as(who, 'POST /api/v4/mail/let-through', mail())).status).toBe(200)
    expect(await receive()).toBe('DUNNO')
  })

  test('of an allowed sender is never delayed, until the sender is removed', async () => {
    const { status } = await account.as('member', 'POST /api/v4/mail/allowed-senders', mail())
    expect(status).toBe(200)
    expect(await receive()).toBe('DUNNO')
    await account.as('member', 'POST /api/v4/mail/allowed-senders/remove', mail())
    expect(await receive()).toBe('DEFER_IF_PERMIT')
  })

  test('shows people their own allowed senders', async () => {
    await account.as('member', 'POST /api/v4/mail/allowed-senders', mail())
    const listOf = async (who: 'member' | 'owner') =>
      (await account.as(who, 'GET /api/v4/mail/allowed-senders')).body
    expect(await listOf('member')).toEqual({ list: [sender] })
    expect(await listOf('owner')).toEqual({ list: [] })
  })

  test.each(['let-through', 'allowed-senders', 'allowed-senders/remove'])(
    'to others isn’t for strangers: %s',
    async (path) => {
      const call = (body: object) => other.as('owner', `POST /api/v4/mail/${path}`, body)
      expect([403, 404]).toContain((await call(mail())).status)
      expect((await call({ ...mail(), recipient: 'nobody@far.test' })).status).toBe(404)
      expect((await call({ sender })).status).toBe(422)
    },
  )

  test('of a sender who is no address is rejected at its field', async () => {
    const body = { ...mail(), sender: 'not an address' }
    const answer = await account.as('member', 'POST /api/v4/mail/allowed-senders', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual(['sender'])
  })
})

describe('held mail', () => {
  test.each(['release', 'discard'])('is decided once by the owner or a controller: %s', async (act) => {
    const id = await hold()
    const decide = (who: 'owner' | 'controller') => account.as(who, `POST /api/v4/mail/held/${id}/${act}`)
    expect((await decide('controller')).status).toBe(200)
    expect((await decide('owner')).status).toBe(404)
    expect((await account.as('owner', 'GET /api/v4/mail/held')).body.list).toEqual([])
  })

  test('of another account is not found, and members may not decide', async () => {
    const id = await hold()
    expect((await other.as('owner', `POST /api/v4/mail/held/${id}/release`)).status).toBe(404)
    expect((await other.as('owner', 'GET /api/v4/mail/held')).body.list).toEqual([])
    expect((await account.as('member', `POST /api/v4/mail/held/${id}/release`)).status).toBe(403)
    expect((await account.as('owner', 'POST /api/v4/mail/held/nonsense/release')).status).toBe(404)
  })
})
