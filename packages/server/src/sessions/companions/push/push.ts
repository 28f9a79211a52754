import { isLanguage } from '@gatehouse/contract/language'
import type { PushSubscription } from '@gatehouse/contract/sessions/companions'
import webPush from 'web-push'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { ForbiddenAddress } from '../../../platform/http/callers/public-address.ts'
import { createTranslator, type Translate } from '../../../platform/i18n/translator.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Locator } from '../../../platform/location.ts'
import type { Log } from '../../../platform/log.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { languageOf } from '../../../users/member-store.ts'
import { findAttempt, findPrompt } from '../attempt-store.ts'
import { dropSubscription, pushTargets } from '../companion-store.ts'
import { pushJob, pushPairedJob } from './push-job.ts'
import { type PushKeys, subscriptionPurpose } from './push-keys.ts'
import { sendPush } from './push-request.ts'

export interface PushParts {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly secrets: Secrets
  readonly locator: Locator
  readonly keys: PushKeys
  /** `mailto:` contact for push services. */
  readonly contact: string
  /** Allows push services on this machine and without TLS; for tests. */
  readonly mayBePrivate: boolean
}

/** The payload that the companion page's service worker shows. */
interface PushMessage {
  readonly title: string
  readonly body: string
  /** Id of the attempt to decide. */
  readonly token?: string
}

/** A push service failed; the job retries. */
class PushFailed extends Error {
  override name = 'PushFailed'
}

/** Sends push messages (RFC 8030), encrypted for the browser that they are for (RFC 8291). */
export function handlePush(jobs: Jobs, parts: PushParts): void {
  const { db, clock, locator } = parts

  jobs.handle(pushJob, async ({ userId, attemptId, promptId }) => {
    const [attempt, prompt] = [await findAttempt(db, attemptId), await findPrompt(db, promptId)]
    const now = clock.now()
    if (attempt === undefined || prompt?.status !== 'WAITING' || now >= prompt.expiresAt) return
    const t = await translatorOf(db, userId)
    const country = locator.country(attempt.ip)
    const place = country === undefined ? attempt.ip : `${attempt.ip} (${country})`
    const seconds = Math.ceil((prompt.expiresAt.getTime() - now.getTime()) / 1000)
    const news = {
      title: t(prompt.service === 'reset' ? 'companions.push-title-reset' : 'companions.push-title'),
      body: t('companions.push-body', { email: attempt.email, place }),
      token: attemptId,
    }
    await tell(parts, await pushTargets(db, userId), news, seconds)
  })

  jobs.handle(pushPairedJob, async ({ userId, except, name }) => {
    const t = await translatorOf(db, userId)
    const news = {
      title: t('companions.push-paired-title'),
      body: t('companions.push-paired-body', { name }),
    }
    await tell(parts, await pushTargets(db, userId, except), news, 24 * 3600)
  })
}

/** Pushes to each device; a failing service doesn't block the others. `life` in seconds. */
async function tell(
  parts: PushParts,
  targets: readonly { id: string; sealed: Buffer }[],
  news: PushMessage,
  life: number,
): Promise<void> {
  const outcomes = await Promise.allSettled(targets.map((target) => push(parts, target, news, life)))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function push(
  parts: PushParts,
  { id, sealed }: { id: string; sealed: Buffer },
  news: PushMessage,
  life: number,
): Promise<void> {
  // written by the call that validated it
  const subscription = JSON.parse(parts.secrets.decrypt(subscriptionPurpose, sealed)) as PushSubscription
  const details = webPush.generateRequestDetails(subscription, JSON.stringify(news), {
    vapidDetails: { subject: parts.contact, ...parts.keys },
    TTL: life,
    urgency: 'high',
    contentEncoding: 'aes128gcm',
  })
  const { endpoint, headers } = details
  try {
    const status = await sendPush(
      {
        endpoint,
        headers: headers as Record<string, string | number>,
        body: details.body ?? Buffer.alloc(0),
      },
      parts.mayBePrivate,
    )
    if (status === 404 || status === 410) await dropSubscription(parts.db, id, sealed)
    else if (status >= 500 || status === 429) throw new PushFailed(`the push service returned ${status}`)
    else if (status >= 300) parts.log.warn({ status, host: new URL(endpoint).host }, 'push message rejected')
  } catch (error) {
    if (!(error instanceof ForbiddenAddress)) throw error
    await dropSubscription(parts.db, id, sealed)
  }
}

async function translatorOf(db: Db, userId: number): Promise<Translate> {
  const language = await languageOf(db, userId)
  return createTranslator(isLanguage(language) ? language : 'en')
}
