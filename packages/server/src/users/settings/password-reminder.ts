import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import { after, type Clock, day, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { addMonths } from '../../platform/months.ts'
import { holdUser } from '../member-store.ts'
import { writeSettings } from '../setting-store.ts'
import {
  accountsWithPasswordAge,
  type PasswordAge,
  readPasswordAge,
  usersWithPasswordOf,
} from './password-age-store.ts'
import { readMonths } from './stored-value.ts'

/** Days before expiry on which a user is reminded. */
const reminders = [14, 7] as const

/** Scans daily for passwords that expire soon. */
export const passwordReminderJob = defineJob('password-expiration:look', z.unknown())

export const passwordExpirationJob = defineJob(
  'password-expiration:mail',
  z.object({ userId: z.number().int(), expiresAt: z.coerce.date() }),
  8,
)

/** Returns when a user's password expires; undefined: never. */
export function passwordExpiry(user: Pick<PasswordAge, 'changedAt' | 'months'>): Date | undefined {
  return user.months === null ? undefined : addMonths(user.changedAt, user.months)
}

/**
 * Whether a reminder is due: none was sent since the latest reminder day. Missed days are thus caught up, and
 * no one gets two at once.
 */
export function isReminderDue(expiry: Date, warnedAt: Date | undefined, now: Date): boolean {
  if (now >= expiry) return false
  const passed = reminders.map((days) => after(expiry, -days * day)).filter((moment) => moment <= now)
  const last = passed.at(-1)
  return last !== undefined && (warnedAt === undefined || warnedAt < last)
}

export interface ReminderParts {
  readonly db: Db
  readonly clock: Clock
  readonly post: Post
}

/** Reminds users of accounts with a maximum password age; reference api-objects §14.2. Daily at 06:00 UTC. */
export function handlePasswordReminders(jobs: Jobs, parts: ReminderParts): void {
  const { db, clock } = parts

  jobs.schedule(passwordReminderJob, '0 6 * * *', async () => {
    const now = clock.now()
    for await (const account of accountsWithPasswordAge(db)) {
      const months = readMonths(account.maxPasswordAge)
      if (months === null) continue
      // months differ in length, so the range is a few days wider than needed
      const window = {
        from: after(addMonths(now, -months), -4 * day),
        to: after(addMonths(now, -months), (reminders[0] + 4) * day),
      }
      for await (const id of usersWithPasswordOf(db, account.ownerId, window)) await remind(jobs, db, now, id)
    }
  })

  jobs.handle(passwordExpirationJob, ({ userId, expiresAt }) => sendReminder(parts, userId, expiresAt))
}

/** Records the reminder and enqueues its e-mail in one transaction, so that each is sent once. */
function remind(jobs: Jobs, db: Db, now: Date, userId: number): Promise<void> {
  return db.transaction().execute(async (trx) => {
    if (!(await holdUser(trx, userId))) return
    const user = await readPasswordAge(trx, userId)
    const expiresAt = user && passwordExpiry(user)
    if (expiresAt === undefined || !isReminderDue(expiresAt, user?.warnedAt, now)) return
    await writeSettings(trx, userId, { password_expiration_warning: wireDate(now) })
    await jobs.enqueue(trx, passwordExpirationJob, { userId, expiresAt })
  })
}

async function sendReminder({ db, post }: ReminderParts, userId: number, expiresAt: Date): Promise<void> {
  const user = await readPasswordAge(db, userId)
  // the password or the policy may have changed since
  if (user?.months == null || passwordExpiry(user)?.getTime() !== expiresAt.getTime()) return
  const { months } = user
  await post.send('PasswordExpiration', {
    to: { address: user.email },
    about: userId,
    record: { tenantId: user.tenantId, objectType: 'user', objectId: userId },
    language: isLanguage(user.language) ? user.language : 'en',
    data: (site) => ({
      name: user.name,
      email: user.email,
      site: site.name,
      expiresAt,
      months,
      link: site.link('/settings'),
    }),
  })
}
