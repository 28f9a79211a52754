import { beforeEach, expect, test } from 'vitest'
import { type MadeUser, makeDomain, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { RecipientLookup } from '../recipients/recipient-lookup.ts'
import { LoggedRefusals } from './logged-refusals.ts'
import type { LoggedRefusal } from './refusal-line.ts'

const app = useTestApp()
let owner: MadeUser
let domain: string
let count = 0
let refusals: LoggedRefusals

beforeEach(async () => {
  domain = `refused${++count}.test`
  owner = await makeUser(app(), { email: `owner@${domain}` })
  await makeDomain(app(), domain, { walletId: owner.walletId })
  const { database, clock, decisions } = app()
  const recipients = new RecipientLookup({ pool: database.pool, clock })
  refusals = new LoggedRefusals({ db: database.db, clock, decisions, recipients })
})

const refusal = (change: Partial<LoggedRefusal> = {}): LoggedRefusal => ({
  ...{ loggedAt: app().clock.now(), queueId: null, clientAddress: '192.0.2.7', sender: 'ann@elsewhere.test' },
  ...{ recipient: `jnae@${domain}`, code: 550, status: '5.1.1', text: 'User unknown' },
  ...change,
})

async function shown() {
  await app().decisions.settled()
  const { access_token: token } = await signInAs(app(), owner)
  const { body } = await app().call('GET /api/v4/mail/messages', { token })
  return body.list
}

test('mail to a misspelt address is shown to the owner of the domain, with the reply', async () => {
  await refusals.record([refusal()])
  expect(await shown()).toMatchObject([
    {
      ...{ sender: 'ann@elsewhere.test', recipients: [`jnae@${domain}`], outcome: 'refused' },
      steps: [{ reason: 'server.refused', code: 'P1', facts: { response: '550 5.1.1 User unknown' } }],
    },
  ])
})

test('what is refused for now is delayed', async () => {
  await refusals.record([refusal({ code: 450, recipient: owner.email })])
  expect(await shown()).toMatchObject([{ outcome: 'delayed', steps: [{ code: 'P2' }] }])
})

test('repeated refusals are kept once an hour, and a flood to one recipient is limited', async () => {
  await refusals.record([refusal(), refusal()])
  await refusals.record(
    Array.from({ length: 100 }, (_, index) => refusal({ sender: `spam${index}@elsewhere.test` })),
  )
  expect(await shown()).toHaveLength(20)
  app().clock.advance(3600)
  await refusals.record([refusal()])
  await app().decisions.settled()
  const kept = await app()
    .database.db.selectFrom('mailDecisions')
    .select('id')
    .where('recipient', '=', `jnae@${domain}`)
    .execute()
  expect(kept).toHaveLength(21)
})

test('refused relaying, and what is older than an hour, is not kept', async () => {
  const old = new Date(app().clock.now().getTime() - 3_601_000)
  await refusals.record([refusal({ recipient: 'ned@third.test' }), refusal({ loggedAt: old })])
  expect(await shown()).toEqual([])
})
