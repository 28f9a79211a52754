import { isLanguage, type Language, languages } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { ResetCodes } from '../../passwords/reset-code.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Locator } from '../../platform/location.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { heldUntil } from '../../users/addresses/recovery-address-store.ts'
import { fullName } from '../../users/user.ts'
import { findPasswordRecipient, type PasswordRecipient, readPasswordRecipient } from '../recipient-store.ts'
import { addressesOf } from '../security-notice.ts'
import { passesGeoLock } from '../sign-in/geo-lock.ts'

/** Checks whether an address is eligible for a reset, and mails the code if so. */
export const resetMailJob = defineJob(
  'password-reset:mail',
  z.object({ id: z.uuid(), email: z.string(), ip: z.string(), language: z.enum(languages) }),
  8,
)

/** Mails a user the link requested by staff or the account; the payload contains only the code's id. */
export const passwordLinkJob = defineJob(
  'password-link:mail',
  z.object({ id: z.uuid(), userId: z.number().int(), sentBy: z.enum(['support', 'account']).optional() }),
  8,
)

/** Notifies a user of a password change. */
export const passwordChangedJob = defineJob(
  'password-changed:mail',
  z.object({
    userId: z.number().int(),
    ip: z.string(),
    at: z.coerce.date(),
    language: z.enum(languages),
    /** One of the user's addresses; if absent, all of them, each in its own job. */
    address: z.string().optional(),
  }),
  8,
)

export interface ResetMailParts {
  readonly db: Db
  readonly clock: Clock
  readonly codes: ResetCodes
  readonly locator: Locator
  readonly post: Post
  /** Hours that a code is valid, for the text of the e-mail. */
  readonly validHours: number
}

/**
 * Does the lookup here and not in the request, so that neither the response nor its timing reveals whether the
 * address is known, can receive mail, or is geo-locked.
 */
export function handleResetMails(jobs: Jobs, parts: ResetMailParts): void {
  jobs.handle(resetMailJob, async ({ id, email, ip, language }) => {
    const user = await findPasswordRecipient(parts.db, email)
    if (user === undefined || !passesGeoLock(user.limitGeo ?? undefined, parts.locator.country(ip))) return
    if (linkAddress(parts, user) === undefined) return
    await parts.codes.assign(id, user.id)
    await sendLink(parts, user, id, { ip, language, sentBy: 'user' })
  })

  jobs.handle(passwordLinkJob, async ({ id, userId, sentBy = 'support' }) => {
    const user = await readPasswordRecipient(parts.db, userId)
    if (user !== undefined) await sendLink(parts, user, id, { language: 'en', sentBy })
  })

  jobs.handle(passwordChangedJob, async (change) => {
    const { userId, ip, at, language, address } = change
    const user = await readPasswordRecipient(parts.db, userId)
    if (user === undefined) return
    if (address === undefined) {
      const each = addressesOf(user).map((one) => ({ payload: { ...change, address: one } }))
      await enqueueAll(parts.db, passwordChangedJob, each)
      return
    }
    await parts.post.send('PasswordChanged', {
      to: { address },
      about: userId,
      record: { tenantId: user.tenantId, objectType: 'user', objectId: userId },
      language: isLanguage(user.language) ? user.language : language,
      data: (site) => ({
        name: fullName(user),
        email: user.email,
        site: site.name,
        at,
        ipAddress: ip,
        countryCode: parts.locator.country(ip),
        link: site.link('/password-reset'),
      }),
    })
  })
}

/** The current target address of a password link: not one that staff set recently. */
function linkAddress({ clock }: ResetMailParts, user: PasswordRecipient): string | undefined {
  const isHeld = heldUntil(user.heldUntil, clock.now()) !== undefined
  return isHeld ? undefined : (user.externalEmail ?? undefined)
}

async function sendLink(
  parts: ResetMailParts,
  user: PasswordRecipient,
  codeId: string,
  { ip, language, sentBy }: { ip?: string; language: Language; sentBy: 'user' | 'support' | 'account' },
): Promise<void> {
  const address = linkAddress(parts, user)
  if (address === undefined) return
  const { code, shortCode } = parts.codes.spell(codeId)
  await parts.post.send('PasswordReset', {
    to: { address },
    about: user.id,
    record: { tenantId: user.tenantId, objectType: 'user', objectId: user.id, ...(ip && { ip }) },
    language: isLanguage(user.language) ? user.language : language,
    data: (site) => ({
      name: fullName(user),
      email: user.email,
      site: site.name,
      shortCode,
      link: site.link(`/password-reset/${shortCode}-${code}`),
      validHours: parts.validHours,
      sentBy,
    }),
  })
}
