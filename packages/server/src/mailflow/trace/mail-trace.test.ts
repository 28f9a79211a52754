import type { TracedMessage } from '@gatehouse/contract/mail/mail-trace'
import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { Metrics } from '../../platform/metrics/metrics.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeTenant, makeUser, setStatus, signInAs } from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { decide } from '../decision.ts'
import { type DecisionContext, DecisionLog } from '../decisions/decision-log.ts'
import { readLogLine } from '../mail-log/log-line.ts'
import { insertSteps } from '../mail-log/log-store.ts'
import { createPartition } from '../partitions/partition-store.ts'
import type { Reason } from '../reasons.ts'
import { MailTrace } from './mail-trace.ts'

const app = useTestApp()

let account: TestAccount

beforeAll(async () => {
  account = await makeAccount(app())
  await createPartition(app().database.pool, 'mail_log_steps', app().clock.now())
})

beforeEach(async () => {
  await app().database.db.deleteFrom('mailDecisions').execute()
  await app().database.db.deleteFrom('mailLogSteps').execute()
})

const stranger = 'ann@elsewhere.test'

interface Recorded {
  readonly to?: { readonly id: number; readonly email: string }
  readonly queueId?: string
  readonly facts?: Record<string, string | number>
  readonly context?: Partial<DecisionContext>
}

/** Records a decision about mail to the member, or to another user of the account. */
async function record(reason: Reason, { to = account.member, queueId, facts, context }: Recorded = {}) {
  const policy = reason.split('.')[0] as 'greylist' // the first part of a reason is its policy
  app().decisions.record(policy, decide(reason, facts), {
    direction: 'in',
    account: { walletId: account.owner.walletId, kind: 'user', id: to.id },
    sender: stranger,
    recipient: to.email,
    clientAddress: '192.0.2.7',
    queueId: queueId ?? null,
    messageId: null,
    ownDomains: [account.domain],
    ...context,
  })
  app().clock.advance(60)
  await app().decisions.settled()
}

/** Keeps a line of the mail server's log. */
async function log(text: string): Promise<void> {
  const time = app().clock.now().toISOString()
  const step = readLogLine(`${time} mx1 postfix/${text}`, app().clock.now())
  if (step === undefined) throw new Error(`not a line of Postfix: ${text}`)
  await insertSteps(app().database.db, [step])
  app().clock.advance(1)
}

const messages = async (who: 'owner' | 'controller' | 'member', query = ''): Promise<TracedMessage[]> => {
  const { status, body } = await account.as(who, `GET /api/v4/mail/messages${query}`)
  expect(status).toBe(200)
  return body.list
}

const sendersOf = (list: readonly TracedMessage[]) => list.map(({ sender }) => sender)

test('a message has its steps with reason, code and facts', async () => {
  await record('greylist.first-contact', { facts: { delay: 300, secret: 'not shown' } })
  await record('greylist.waited', { queueId: '4bTk6q2yzXz9', facts: { delay: 300, waited: 320 } })
  await log('cleanup[1]: 4bTk6q2yzXz9: message-id=<1@elsewhere.test>')
  await log(
    `lmtp[1]: 4bTk6q2yzXz9: to=<${account.member.email}>, relay=imap[private/lmtp], delay=1, dsn=2.0.0, status=sent (250 Ok)`,
  )
  const [message, ...others] = await messages('member')
  expect(others).toEqual([])
  expect(message).toMatchObject({
    ...{ direction: 'in', sender: stranger, recipients: [account.member.email], outcome: 'delivered' },
    ...{ messageId: '<1@elsewhere.test>', queueIds: ['4bTk6q2yzXz9'] },
    steps: [
      { kind: 'decision', reason: 'greylist.first-contact', code: 'G1', action: 'defer' },
      { kind: 'decision', reason: 'greylist.waited', code: 'G3', facts: { delay: 300, waited: 320 } },
      { kind: 'log', event: 'sent', status: '2.0.0', response: '250 Ok', server: 'mx1' },
    ],
  })
  expect(JSON.stringify(message)).not.toContain('not shown')
})

test('users see their own mail, and owners and controllers that of the account', async () => {
  await record('list.anyone', { context: { sender: 'for-member@elsewhere.test' } })
  await record('list.anyone', { to: account.owner, context: { sender: 'for-owner@elsewhere.test' } })
  expect(sendersOf(await messages('member'))).toEqual(['for-member@elsewhere.test'])
  const both = ['for-owner@elsewhere.test', 'for-member@elsewhere.test']
  expect(sendersOf(await messages('owner'))).toEqual(both)
  expect(sendersOf(await messages('controller'))).toEqual(both)
})

test('another account sees nothing, even as the forged sender', async () => {
  const other = await makeUser(app())
  await record('list.anyone', { context: { sender: other.email } })
  const { access_token: token } = await signInAs(app(), other)
  const { body } = await app().call('GET /api/v4/mail/messages', { token })
  expect(body).toEqual({ list: [], next: null })
})

test('a suspended user sees nothing', async () => {
  const user = await makeUser(app())
  const { access_token: token } = await signInAs(app(), user)
  await setStatus(app(), user, userStatus.active | userStatus.suspended)
  expect((await app().call('GET /api/v4/mail/messages', { token })).status).toBe(403)
})

test('staff see the mail of an account that they manage', async () => {
  await record('list.anyone')
  const [admin, reseller] = [await makeStaff(app(), 'admin'), await makeStaff(app(), 'reseller')]
  const foreign = await makeStaff(app(), 'reseller', await makeTenant(app(), 77))
  for (const user of [account.owner, account.member]) {
    const call = `GET /api/v4/users/${user.id}/mail`
    expect(sendersOf((await admin.call(call)).body.list)).toEqual([stranger])
    expect(sendersOf((await reseller.call(call)).body.list)).toEqual([stranger])
    expect((await foreign.call(call)).status).toBe(404)
  }
  // the controller owns nothing
  const { body } = await admin.call(`GET /api/v4/users/${account.controller.id}/mail`)
  expect(body.list).toEqual([])
})

test('blind copies of an incoming message stay hidden', async () => {
  const queueId = '4bTk6q2yzXz9'
  await record('greylist.known-server', { queueId })
  await record('greylist.known-server', { to: account.owner, queueId })
  const sent = (to: string) =>
    log(`lmtp[1]: ${queueId}: to=<${to}>, relay=imap[private/lmtp], delay=1, dsn=2.0.0, status=sent (250 Ok)`)
  await sent(account.member.email)
  await sent(account.owner.email)
  const [message] = await messages('member')
  expect(JSON.stringify(message)).not.toContain(account.owner.email)
  const [whole] = await messages('owner')
  expect(whole?.recipients).toEqual([account.member.email, account.owner.email])
})

test('a sent message is followed through a content filter', async () => {
  const queueId = '4bTk6q2yzXz1'
  const context = { direction: 'out', sender: account.member.email, recipient: null } as const
  await record('rate.within-limits', { queueId, context })
  await log(
    `smtp[1]: ${queueId}: to=<${stranger}>, relay=127.0.0.1[127.0.0.1]:10024, delay=1, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 4bTk6q2yzXz2)`,
  )
  await log(
    `smtp[1]: 4bTk6q2yzXz2: to=<${stranger}>, relay=mx[192.0.2.7]:25, delay=1, dsn=5.1.1, status=bounced (550 Unknown)`,
  )
  expect(await messages('member')).toMatchObject([
    { direction: 'out', outcome: 'bounced', recipients: [stranger] },
  ])
})

test.each([
  ['?person=ANN@elsewhere.test', ['ann@elsewhere.test']],
  ['?person=elsewhere', ['bob@elsewhere.test', 'ann@elsewhere.test']],
  ['?person=member@', ['bob@elsewhere.test', 'ann@elsewhere.test']],
  ['?person=%25', []],
  ['?direction=out', []],
  ['?direction=in', ['bob@elsewhere.test', 'ann@elsewhere.test']],
  ['?outcome=refused', ['bob@elsewhere.test']],
  ['?outcome=accepted', ['ann@elsewhere.test']],
  ['?outcome=bounced', []],
  ['?from=2030-01-01', []],
  ['?to=2020-01-01', []],
  ['?from=2026-01-01&to=2030-01-01', ['bob@elsewhere.test', 'ann@elsewhere.test']],
])('the filter %s finds %j', async (query, senders) => {
  await record('list.anyone', { context: { sender: 'ann@elsewhere.test' } })
  await record('list.not-allowed', { context: { sender: 'bob@elsewhere.test' } })
  expect(sendersOf(await messages('member', query))).toEqual(senders)
})

test.each([`person=${'x'.repeat(400)}`, 'after=yesterday', 'outcome=lost', 'size=0'])(
  'a wrong query %s is refused',
  async (query) => {
    expect((await account.as('member', `GET /api/v4/mail/messages?${query}`)).status).toBe(422)
  },
)

test('pages contain each message once, delayed ones with all their steps', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `sender${index}@elsewhere.test`)
  for (const sender of names) await record('greylist.first-contact', { context: { sender } })
  for (const sender of names) await record('greylist.waited', { context: { sender } })
  const found: TracedMessage[] = []
  for (let after = ''; ; ) {
    const { body } = await account.as('member', `GET /api/v4/mail/messages?size=3${after}`)
    found.push(...body.list)
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  expect(sendersOf(found)).toEqual(names.toReversed())
  expect(found.map(({ steps }) => steps.length)).toEqual(names.map(() => 2))
})

test('hidden addresses of strangers are found by the whole address', async () => {
  const { database, clock, secrets, fastify } = app()
  const decisions = new DecisionLog({
    ...{ db: database.db, pool: database.pool, clock, secrets, log: fastify.log },
    metrics: new Metrics(database.pool),
    config: { MAILFLOW_LOG_DAYS: 90, MAILFLOW_HASH_STRANGERS: true },
  })
  decisions.record('list', decide('list.anyone'), {
    ...{ direction: 'in', sender: stranger, recipient: account.member.email, clientAddress: null },
    account: { walletId: account.owner.walletId, kind: 'user', id: account.member.id },
    ...{ queueId: null, messageId: null, ownDomains: [account.domain] },
  })
  await decisions.settled()
  const trace = new MailTrace({ db: database.db, decisions })
  const find = async (person: string) =>
    sendersOf((await trace.messages({ userId: account.member.id, accounts: 'owned' }, { person })).list)
  expect(await find(stranger)).toEqual([expect.stringMatching(/^~[0-9a-f]{16}@elsewhere\.test$/)])
  expect(await find('ann@')).toEqual([])
  expect(await find('elsewhere.test')).toHaveLength(1)
})
