import { beforeAll, beforeEach, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { DnsServer } from '../../testing/servers/dns-server.ts'
import { withMailServices } from '../../testing/servers/mail-services.ts'
import { askPolicy, type PolicyFields } from '../../testing/servers/policy-calls.ts'
import { useTestApp } from '../../testing/test-app.ts'

const dns = await DnsServer.start()
const app = useTestApp({ ...withMailServices, DNS_SERVERS: dns.address })
let account: TestAccount

beforeAll(() => () => dns[Symbol.asyncDispose]())

beforeEach(async () => {
  app().clock.advance(2 * day)
  account = await makeAccount(app())
})

const send = (recipients: readonly string[]) =>
  askPolicy(app(), 'ratelimit', { sender: account.member.email, recipients })

const receive = (sender: string, fields: PolicyFields = {}) =>
  askPolicy(app(), 'greylist', {
    ...{ sender, recipient: account.member.email, client_address: '192.0.2.10', client_name: 'mx.far.test' },
    ...fields,
  })

test('answers of people that a user has written to are not delayed', async () => {
  expect(await receive('ann@far.test')).toMatchObject({ status: 403, response: 'DEFER_IF_PERMIT' })
  expect(await send(['Ann+work@far.test', 'bob@far.test'])).toMatchObject({ response: 'DUNNO' })
  expect(await receive('ann@far.test')).toMatchObject({ status: 200, response: 'DUNNO' })
  expect(await receive('bob@far.test', { client_address: '198.51.100.1' })).toMatchObject({
    response: 'DUNNO',
  })
})

test('answers to another user are', async () => {
  await send(['ann@far.test'])
  const reply = await receive('ann@far.test', { recipient: account.controller.email })
  expect(reply).toMatchObject({ response: 'DEFER_IF_PERMIT' })
})

test('recipients of a held message or of a mass mailing are no correspondents', async () => {
  await send(Array.from({ length: 51 }, (_, at) => `reader${at}@far.test`))
  expect(await receive('reader7@far.test')).toMatchObject({ response: 'DEFER_IF_PERMIT' })
  expect(await send(Array.from({ length: 60 }, (_, at) => `late${at}@far.test`))).toMatchObject({
    response: 'HOLD',
  })
  expect(await receive('late7@far.test')).toMatchObject({ response: 'DEFER_IF_PERMIT' })
})
