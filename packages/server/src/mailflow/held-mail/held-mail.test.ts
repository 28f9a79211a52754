import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { eraseUser } from '../../account-lifecycle/erase.ts'
import { after, day, hour } from '../../platform/clock.ts'
import { newUuid } from '../../platform/ids.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { setStatus } from '../../testing/factories.ts'
import { withMailServices } from '../../testing/servers/mail-services.ts'
import { askPolicy, type PolicyFields } from '../../testing/servers/policy-calls.ts'
import { useTestApp } from '../../testing/test-app.ts'
import {
  confirmSending,
  discardHeld,
  heldWork,
  heldWorkDone,
  listHeld,
  PurgeHeldMail,
  releaseHeld,
} from './held-mail.ts'

const app = useTestApp(withMailServices)
const run = commandLine(app)
const parts = () => ({ db: app().database.db, clock: app().clock })
let account: TestAccount
let count = 0

beforeEach(async () => {
  await app().database.db.deleteFrom('heldMessages').execute()
  account = await makeAccount(app())
})

/** Sends one message with too many recipients, which is held. */
async function beHeld(fields: PolicyFields = {}): Promise<string> {
  const queueId = `Q${++count}`
  const recipients = Array.from({ length: 101 }, (_, at) => `n${at}.${count}@else.test`)
  await askPolicy(app(), 'ratelimit', {
    sender: account.member.email,
    recipients,
    queue_id: queueId,
    ...fields,
  })
  return queueId
}
const held = () => listHeld(parts(), account.owner.walletId)
const by = () => ({ actor: { userId: account.owner.id, email: account.owner.email } })
const firstId = async () => (await held())[0]?.id ?? ''

async function eventsOf(userId: number): Promise<string[]> {
  const rows = await app()
    .database.db.selectFrom('eventLog')
    .select('event')
    .where('objectId', '=', userId)
    .where('actorId', '=', account.owner.id)
    .execute()
  return rows.map(({ event }) => event)
}

test('a held message is listed for its account, with the reason and the first recipients', async () => {
  const queueId = await beHeld()
  const [message, ...more] = await held()
  expect(more).toEqual([])
  expect(message).toMatchObject({
    ...{ userId: account.member.id, email: account.member.email, sender: account.member.email, queueId },
    ...{ reason: 'rate.recipients-per-hour', recipientCount: 101, subject: null },
  })
  expect(message?.recipients).toHaveLength(100)
  const other = await makeAccount(app())
  expect(await listHeld(parts(), other.owner.walletId)).toEqual([])
})

test('a message about which the mail server asks again is listed once', async () => {
  const queueId = await beHeld()
  await beHeld({ queue_id: queueId })
  expect(await held()).toHaveLength(1)
})

describe('a decision', () => {
  test.each([
    ['release', releaseHeld, 'held-mail.released'],
    ['discard', discardHeld, 'held-mail.discarded'],
  ] as const)(
    'to %s is logged, made once, and handed to the mail server until it is done',
    async (kind, act, event) => {
      const queueId = await beHeld()
      const id = await firstId()
      expect(await act(parts(), id, by())).toBe(true)
      expect(await releaseHeld(parts(), id, by())).toBe(false)
      expect(await discardHeld(parts(), id, by())).toBe(false)
      expect(await eventsOf(account.member.id)).toEqual([event])
      expect(await held()).toEqual([])
      expect(await heldWork(parts())).toEqual({ release: [], discard: [], [kind]: [queueId] })
      await heldWorkDone(parts(), [queueId])
      expect(await heldWork(parts())).toEqual({ release: [], discard: [] })
    },
  )

  test('by two people at once is made by one', async () => {
    await beHeld()
    const id = await firstId()
    const made = await Promise.all([releaseHeld(parts(), id, by()), discardHeld(parts(), id, by())])
    expect(made.filter((one) => one)).toHaveLength(1)
  })

  test('about a message that does not exist is refused', async () => {
    expect(await releaseHeld(parts(), newUuid(), by())).toBe(false)
  })
})

describe("a confirmation by the account's owner", () => {
  test("releases the user's held mail, but not that of a suspended user", async () => {
    const queueId = await beHeld()
    await setStatus(app(), account.member, userStatus.active | userStatus.suspended)
    await beHeld()
    const until = after(app().clock.now(), day)
    expect(await confirmSending(parts(), account.member.id, until, by())).toBe(1)
    expect(await held()).toMatchObject([{ reason: 'rate.suspended' }])
    expect((await heldWork(parts())).release).toContain(queueId)
    expect(await eventsOf(account.member.id)).toEqual(['sending.confirmed'])
  })

  test('of somebody who does not exist does nothing', async () => {
    expect(await confirmSending(parts(), 4_000_000_000, app().clock.now(), by())).toBeUndefined()
  })
})

test('after 30 days held mail is discarded, and 30 days later forgotten', async () => {
  const queueId = await beHeld()
  const purge = new PurgeHeldMail(parts())
  app().clock.advance(29 * day)
  await purge.purge()
  expect(await held()).toHaveLength(1)
  app().clock.advance(day + hour)
  await purge.purge()
  expect(await held()).toEqual([])
  expect((await heldWork(parts())).discard).toEqual([queueId])
  app().clock.advance(30 * day + hour)
  await purge.purge()
  expect(await app().database.db.selectFrom('heldMessages').select('id').execute()).toEqual([])
})

test('erasing a user removes what they sent and their address among the recipients of others', async () => {
  const { member, controller } = account
  const others = Array.from({ length: 101 }, (_, at) => `o${at}@else.test`)
  await beHeld()
  await beHeld({ sender: controller.email, recipients: [member.email, ...others] })
  const { db } = app().database
  await db
    .updateTable('users')
    .set({ deletedAt: app().clock.now(), status: userStatus.deleted })
    .where('id', '=', member.id)
    .execute()
  await eraseUser(parts(), member.id, by())
  const left = await db.selectFrom('heldMessages').select(['userId', 'recipients']).execute()
  expect(left.map(({ userId }) => userId)).toEqual([controller.id])
  expect(left[0]?.recipients).not.toContain(member.email)
  for (const table of ['userSending', 'sendAttempts', 'sendingDays', 'sentRecipients'] as const) {
    expect(await db.selectFrom(table).select('userId').where('userId', '=', member.id).execute()).toEqual([])
  }
})

describe('the command line', () => {
  test('lists and releases held mail', async () => {
    const queueId = await beHeld()
    const [line] = await run('mail:held', account.owner.email)
    expect(line).toContain(`${account.member.email} → n0.${count}@else.test and 100 more`)
    expect(line).toContain(`R6 rate.recipients-per-hour  queue id ${queueId}`)
    const id = await firstId()
    expect(await run('mail:release', id)).toEqual([`${id}: released`])
    expect(await run('mail:held')).toEqual(['No mail is held.'])
    await expect(run('mail:release', id)).rejects.toThrow('already released')
    await expect(run('mail:release', 'x')).rejects.toThrow('x is not an id.')
  })

  test('exempts users and domains from the limits', async () => {
    const { domain, member } = account
    for (const name of [member.email, domain]) {
      expect(await run('ratelimit:exempt', name)).toEqual([`${name}: exempt`])
      await expect(run('ratelimit:exempt', name)).rejects.toThrow('already sends without limits')
      await beHeld()
      expect(await held()).toEqual([])
      expect(await run('ratelimit:exemptions')).toEqual([expect.stringContaining(`${name}  since `)])
      expect(await run('ratelimit:unexempt', name)).toEqual([`${name}: unexempt`])
      await expect(run('ratelimit:unexempt', name)).rejects.toThrow('has no exemption')
    }
    expect(await run('ratelimit:exemptions')).toEqual(['No user or domain sends without limits.'])
    await beHeld()
    expect(await held()).toHaveLength(1)
  })

  test.each(['nobody@else.test', 'else.test'])('knows no %s', async (name) => {
    await expect(run('ratelimit:exempt', name)).rejects.toThrow('There is no')
  })
})
