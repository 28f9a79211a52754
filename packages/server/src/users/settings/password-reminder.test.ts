import { type Language, languages } from '@gatehouse/contract/language'
import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { day, wireDate } from '../../platform/clock.ts'
import { type MadeUser, makeUser, setStatus } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { writeSettings } from '../setting-store.ts'
import {
  isReminderDue,
  passwordExpirationJob,
  passwordExpiry,
  passwordReminderJob,
} from './password-reminder.ts'

const at = (text: string) => new Date(`${text}Z`)

describe('a reminder', () => {
  const expiry = at('2026-03-31T12:00:00')
  test.each([
    ['2026-03-10T06:00:00', undefined, false],
    ['2026-03-17T11:59:59', undefined, false],
    ['2026-03-17T12:00:00', undefined, true],
    ['2026-03-18T06:00:00', undefined, true],
    ['2026-03-19T06:00:00', '2026-03-18T06:00:00', false],
    ['2026-03-24T11:00:00', '2026-03-18T06:00:00', false],
    ['2026-03-24T12:00:00', '2026-03-18T06:00:00', true],
    ['2026-03-25T06:00:00', '2026-03-18T06:00:00', true],
    ['2026-03-26T06:00:00', '2026-03-25T06:00:00', false],
    ['2026-03-31T06:00:00', '2026-03-25T06:00:00', false],
    // missed days are caught up with a single reminder
    ['2026-03-23T06:00:00', undefined, true],
    ['2026-03-29T06:00:00', undefined, true],
    ['2026-03-30T06:00:00', '2026-03-29T06:00:00', false],
    ['2026-03-30T06:00:00', '2026-03-20T06:00:00', true],
    // a reminder about an earlier password doesn't count
    ['2026-03-18T06:00:00', '2025-12-20T06:00:00', true],
    ['2026-03-31T12:00:00', undefined, false],
    ['2026-05-01T06:00:00', undefined, false],
  ])('at %s after one at %s is due: %s', (now, warnedAt, due) => {
    expect(isReminderDue(expiry, warnedAt === undefined ? undefined : at(warnedAt), at(now))).toBe(due)
  })
})

describe('a password expires', () => {
  test.each([
    ['2026-01-10T08:00:00', 3, '2026-04-10T08:00:00'],
    ['2026-01-31T08:00:00', 1, '2026-02-28T08:00:00'],
    ['2024-02-29T08:00:00', 12, '2025-02-28T08:00:00'],
    ['2026-08-31T08:00:00', 6, '2027-02-28T08:00:00'],
    ['2026-01-10T08:00:00', 120, '2036-01-10T08:00:00'],
  ])('set at %s with %i months: at %s', (changedAt, months, expected) => {
    expect(passwordExpiry({ changedAt: at(changedAt), months })).toEqual(at(expected))
  })

  test('never without a limit', () => {
    expect(passwordExpiry({ changedAt: at('2026-01-10T08:00:00'), months: null })).toBeUndefined()
  })
})

const app = useTestApp()
/** The clock is set to 10 March 2026, 12:00. */
const inTenDays = '2025-12-20 12:00:00'
let owner: MadeUser

beforeEach(async () => {
  const { db } = app().database
  await db.deleteFrom('userSettings').where('key', '=', 'max_password_age').execute()
  owner = await makeUser(app(), { settings: { max_password_age: '3' } })
})

const member = (settings: Record<string, string> = {}, facts = {}) =>
  makeUser(app(), {
    walletId: owner.walletId,
    settings: { password_update: inTenDays, ...settings },
    ...facts,
  })

const run = () => app().jobs.enqueue(app().database.db, passwordReminderJob, {})

const mailsTo = async (user: MadeUser) =>
  (await app().mails()).filter((mail) => mail.to.some((to) => to.address === user.email))

const warning = async (user: MadeUser) => {
  const row = await app()
    .database.db.selectFrom('userSettings')
    .select('value')
    .where('userId', '=', user.id)
    .where('key', '=', 'password_expiration_warning')
    .executeTakeFirst()
  return row?.value
}

describe('the daily job', () => {
  test('reminds a user twice and records it', async () => {
    const start = app().clock.now()
    const user = await member({ first_name: 'Jo', last_name: 'Doe' })
    await run()
    const [mail, ...more] = await mailsTo(user)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Your Gatehouse password expires soon')
    expect(mail?.text).toContain('Hello Jo Doe,')
    expect(mail?.text).toContain(
      `The password of ${user.email} expires on 20 March 2026. Your organisation requires a new password every 3 months.`,
    )
    expect(mail?.text).toContain('http://localhost:8000/settings')
    expect(await warning(user)).toBe(wireDate(start))
    await run()
    expect(await mailsTo(user)).toHaveLength(1)
    app().clock.advance(3 * day)
    await run()
    expect(await mailsTo(user)).toHaveLength(2)
    app().clock.advance(3 * day)
    await run()
    expect(await mailsTo(user)).toHaveLength(2)
    const events = await app()
      .database.db.selectFrom('eventLog')
      .select('comment')
      .where('objectId', '=', user.id)
      .where('event', '=', 'mail.sent')
      .execute()
    const comment = expect.stringMatching(/^\[PasswordExpiration\] ./)
    expect(events).toEqual([{ comment }, { comment }])
    app().clock.advance(-6 * day)
  })

  test.each(languages)('sends mail in %s', async (language: Language) => {
    const user = await member()
    await app().database.db.updateTable('users').set({ language }).where('id', '=', user.id).execute()
    await run()
    const [mail] = await mailsTo(user)
    const words = { en: 'every 3 months', de: 'alle 3 Monate', fr: 'tous les 3 mois', it: 'ogni 3 mesi' }
    const dates = { en: '20 March 2026', de: '20. März 2026', fr: '20 mars 2026', it: '20 marzo 2026' }
    expect(mail?.text).toContain(words[language])
    expect(mail?.text).toContain(dates[language])
  })

  test("counts from a user's creation if the password was never changed", async () => {
    const user = await makeUser(app(), { walletId: owner.walletId })
    await run()
    expect(await mailsTo(user)).toEqual([])
    await app().database.pool.query(`update users set created_at = '2025-12-20T12:00:00Z' where id = $1`, [
      user.id,
    ])
    await run()
    expect(await mailsTo(user)).toHaveLength(1)
  })

  test('skips everyone else', async () => {
    const early = await member({ password_update: '2026-02-20 12:00:00' })
    const late = await member({ password_update: '2025-11-01 12:00:00' })
    const broken = await member({ password_update: '2025-12-20 99:99:99' })
    const suspended = await member({}, { status: 35 | userStatus.suspended })
    const unready = await member({}, { status: userStatus.new | userStatus.active })
    const technical = await member({}, { role: 'service' })
    const elsewhere = await makeUser(app(), { settings: { password_update: inTenDays } })
    const own = await makeUser(app(), { settings: { password_update: inTenDays, max_password_age: '0' } })
    const gone = await member()
    await app().database.pool.query('update users set deleted_at = now() where id = $1', [gone.id])
    await run()
    const people = [early, late, broken, suspended, unready, technical, elsewhere, own, gone]
    for (const user of people) expect([await mailsTo(user), await warning(user)]).toEqual([[], undefined])
    expect(await app().jobs.failed()).toEqual([])
  })

  test('skips users who have since changed the password or were suspended', async () => {
    const { db } = app().database
    const users = { quick: await member(), suspended: await member(), other: await member() }
    const expiresAt = at('2026-03-20T12:00:00')
    await writeSettings(db, users.quick.id, { password_update: '2026-03-10 12:00:00' })
    await setStatus(app(), users.suspended, 35 | userStatus.suspended)
    for (const { id } of Object.values(users)) {
      await app().jobs.enqueue(db, passwordExpirationJob, { userId: id, expiresAt })
    }
    const counts: number[] = []
    for (const user of Object.values(users)) counts.push((await mailsTo(user)).length)
    expect(counts).toEqual([0, 0, 1])
  })

  test('sends one e-mail when two processes run it concurrently', async () => {
    const user = await member()
    await Promise.all([run(), run()])
    expect(await mailsTo(user)).toHaveLength(1)
  })
})
