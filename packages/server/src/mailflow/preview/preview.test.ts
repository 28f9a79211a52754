import { beforeEach, describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { type MadeUser, makeDomain, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { decide } from '../decision.ts'
import type { Policy } from '../decisions/decision-store.ts'
import { externalSender } from '../external-sender/external-sender.ts'
import { greylist } from '../greylist/greylist.ts'
import { defaultGreylistSettings } from '../greylist/greylist-facts.ts'

const app = useTestApp()
let owner: MadeUser
let jane: MadeUser
let token: string
let count = 0

beforeEach(async () => {
  count++
  owner = await makeUser(app(), { email: `owner@preview${count}.test` })
  await makeDomain(app(), `acme${count}.test`, { walletId: owner.walletId })
  jane = await makeUser(app(), { email: `jane@acme${count}.test`, walletId: owner.walletId })
  token = (await signInAs(app(), owner)).access_token
})

const seconds = () => app().clock.now().getTime() / 1000

function record(policy: Policy, decision: ReturnType<typeof decide>, sender: string, to: MadeUser) {
  app().decisions.record(policy, decision, {
    direction: 'in',
    account: { walletId: owner.walletId, kind: 'user', id: to.id },
    sender,
    recipient: to.email,
    clientAddress: '192.0.2.7',
    queueId: null,
    messageId: null,
    ownDomains: [],
  })
}

/** A message to a recipient for whom greylisting is off, as the account's policy says at the moment. */
function receive(sender: string, to: MadeUser = jane, greylisting = false) {
  const facts = {
    time: seconds(),
    clientAddress: '192.0.2.7',
    sender,
    authentication: null,
    spfFailed: false,
    recipient: { kind: 'user', id: to.id, greylisting, allowedSenders: [] },
    history: {
      contact: null,
      letThroughAt: null,
      correspondentSince: null,
      knownServer: null,
      passedContacts: [],
      oneTimeCodes: null,
    },
  }
  record('greylist', greylist(facts, defaultGreylistSettings), sender, to)
}

function receiveExternal(author: string, to: MadeUser = jane) {
  const domain = author.slice(author.indexOf('@') + 1)
  const facts = {
    sender: author,
    author,
    authentication: { method: 'dmarc' as const, domain },
    recipient: to.email,
    ownDomains: [],
  }
  record('external', externalSender(facts, { isOn: false, trustedDomains: [] }), author, to)
}

async function configure(user: MadeUser, key: string, value: string) {
  await app().database.db.insertInto('userSettings').values({ userId: user.id, key, value }).execute()
}

async function preview(body: Record<string, unknown>) {
  await app().decisions.settled()
  const answer = await app().call('POST /api/v4/policies/preview', { token, body })
  expect(answer.status).toBe(200)
  return answer.body
}

describe('greylisting', () => {
  test('switched on, it would have delayed each first message, but no later one', async () => {
    await configure(owner, 'greylist_policy', 'false')
    receive('ann@elsewhere.test')
    app().clock.advance(600)
    receive('ann@elsewhere.test')
    receive('bob@third.test')
    expect(await preview({ greylist_policy: true })).toMatchObject({
      days: 30,
      changes: [
        {
          policy: 'greylist',
          messages: 3,
          more: 2,
          fewer: 0,
          examples: [
            { sender: 'bob@third.test', recipient: jane.email, effect: 'more' },
            { sender: 'ann@elsewhere.test', recipient: jane.email, effect: 'more' },
          ],
        },
      ],
    })
  })

  test('switched off, it would have delayed none of those it delayed', async () => {
    receive('ann@elsewhere.test', jane, true)
    app().clock.advance(600)
    receive('ann@elsewhere.test', jane, true)
    expect(await preview({ greylist_policy: false })).toMatchObject({
      changes: [{ policy: 'greylist', messages: 2, more: 0, fewer: 1 }],
    })
  })

  test('users with a setting of their own are not affected', async () => {
    await configure(owner, 'greylist_policy', 'false')
    await configure(jane, 'greylist_enabled', 'false')
    receive('ann@elsewhere.test')
    receive('ann@elsewhere.test', owner)
    expect(await preview({ greylist_policy: true })).toMatchObject({ changes: [{ messages: 2, more: 1 }] })
  })

  test('messages older than 30 days do not count', async () => {
    await configure(owner, 'greylist_policy', 'false')
    receive('ann@elsewhere.test')
    await app().decisions.settled()
    app().clock.advance(31 * day)
    token = (await signInAs(app(), owner)).access_token
    expect(await preview({ greylist_policy: true })).toMatchObject({ changes: [{ messages: 0, more: 0 }] })
  })
})

describe('the mark of external senders', () => {
  test('switched on, it would have marked strangers but not trusted domains', async () => {
    receiveExternal('ann@elsewhere.test')
    receiveExternal('bob@partner.test')
    const body = { externalsender_policy: true, externalsender_policy_domains: ['partner.test'] }
    expect(await preview(body)).toMatchObject({
      changes: [{ policy: 'external', messages: 2, more: 1, examples: [{ sender: 'ann@elsewhere.test' }] }],
    })
  })

  test('with one more trusted domain, it would have marked fewer', async () => {
    await configure(owner, 'externalsender_policy', 'true')
    receiveExternal('bob@partner.test')
    expect(await preview({ externalsender_policy_domains: ['partner.test'] })).toMatchObject({
      changes: [{ policy: 'external', more: 0, fewer: 1 }],
    })
  })
})

test('policies that stay as they are have no preview', async () => {
  receive('ann@elsewhere.test')
  expect(await preview({ greylist_policy: true, externalsender_policy: false })).toMatchObject({
    changes: [],
  })
})

test('facts in an unknown form are passed over', async () => {
  await configure(owner, 'greylist_policy', 'false')
  record('greylist', decide('greylist.off', { sender: 5 }), 'ann@elsewhere.test', jane)
  expect(await preview({ greylist_policy: true })).toMatchObject({ changes: [{ messages: 0 }] })
})

test('mail to other accounts is not part of a preview, and members may not ask', async () => {
  await configure(owner, 'greylist_policy', 'false')
  receive('ann@elsewhere.test')
  await app().decisions.settled()
  const other = await makeUser(app())
  const stranger = await app().call('POST /api/v4/policies/preview', {
    token: (await signInAs(app(), other)).access_token,
    body: { greylist_policy: false },
  })
  expect(stranger.body).toMatchObject({ changes: [{ messages: 0 }] })
  const member = await app().call('POST /api/v4/policies/preview', {
    token: (await signInAs(app(), jane)).access_token,
    body: { greylist_policy: true },
  })
  expect(member.status).toBe(403)
})
