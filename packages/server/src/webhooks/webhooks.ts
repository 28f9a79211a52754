import { maxWebhooks, type PauseReason } from '@gatehouse/contract/webhooks/webhooks'
import { type Actor, audit } from '../platform/audit.ts'
import { after, type Clock, hour } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { NotFound, ValidationError } from '../platform/http/errors.ts'
import { isUuid, newUuid } from '../platform/ids.ts'
import type { Secrets } from '../platform/secrets.ts'
import { holdUser } from '../users/member-store.ts'
import { newWebhookSecret, webhookSecretPurpose } from './signature.ts'
import {
  changeWebhook,
  countWebhooks,
  holdWebhook,
  insertWebhook,
  ownerOfWallet,
  removeWebhook,
  retryPending,
  rewindWebhook,
  type StoredWebhook,
} from './webhook-store.ts'

export interface WebhookParts {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
}

/** The account whose webhooks are managed. */
export interface WebhookAccount {
  readonly walletId: string
  readonly ownerId: number
}

export interface WantedWebhook {
  readonly name: string
  readonly url: string
  readonly types: readonly string[]
}

/** Who acts, and for the command line why. */
interface By {
  readonly actor: Actor
  readonly comment?: string
}

/** Creates a webhook. Its secret is only available here. Throws ValidationError if there are too many. */
export async function createWebhook(
  { db, clock, secrets }: WebhookParts,
  { walletId, ownerId }: WebhookAccount,
  { name, url, types }: WantedWebhook,
  actor: Actor,
): Promise<{ id: string; secret: string }> {
  const id = newUuid()
  const secret = newWebhookSecret()
  await db.transaction().execute(async (trx) => {
    // locks the owner, so that concurrent requests can't exceed the limit
    if (!(await holdUser(trx, ownerId))) throw new NotFound()
    if ((await countWebhooks(trx, walletId)) >= maxWebhooks) {
      throw ValidationError.at('name', 'webhooks.too-many', { limit: maxWebhooks })
    }
    const sealed = secrets.encrypt(webhookSecretPurpose, secret)
    const row = { id, walletId, createdBy: ownerId, name, url, types, secret: sealed, createdAt: clock.now() }
    await insertWebhook(trx, row)
    const data = { name, host: new URL(url).host, types: [...types] }
    await record(trx, clock, walletId, { event: 'webhook.created', actor, data })
  })
  return { id, secret }
}

/** Changes the name, URL or types of a webhook. Throws NotFound if the account doesn't have it. */
export async function updateWebhook(
  { db, clock }: WebhookParts,
  account: WebhookAccount,
  change: { readonly id: string; readonly name?: string; readonly url?: string; readonly types?: string[] },
  actor: Actor,
): Promise<void> {
  const { id, ...values } = change
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, id, account)
    const before = { name: found.name, url: found.url, types: found.types }
    const changed = { ...before, ...values }
    if (JSON.stringify(before) === JSON.stringify(changed)) return
    await changeWebhook(trx, id, changed)
    const data = { before: factsOf(before), after: factsOf(changed) }
    await record(trx, clock, found.walletId, { event: 'webhook.updated', actor, data })
  })
}

/** Replaces a webhook's secret. For `overlapHours`, messages are signed with the previous one as well. */
export async function rotateWebhook(
  { db, clock, secrets }: WebhookParts,
  account: WebhookAccount,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
  actor: Actor,
): Promise<{ id: string; secret: string }> {
  const secret = newWebhookSecret()
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, id, account)
    const isOverlapping = overlapHours > 0
    await changeWebhook(trx, found.id, {
      secret: secrets.encrypt(webhookSecretPurpose, secret),
      previousSecret: isOverlapping ? found.secret : null,
      previousUntil: isOverlapping ? after(clock.now(), overlapHours * hour) : null,
    })
    const data = { name: found.name, overlapHours }
    await record(trx, clock, found.walletId, { event: 'webhook.rotated', actor, data })
  })
  return { id, secret }
}

/** Deletes a webhook with its deliveries. Throws NotFound if the account doesn't have it. */
export async function deleteWebhook(
  { db, clock }: WebhookParts,
  account: WebhookAccount,
  id: string,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, id, account)
    await removeWebhook(trx, found.id)
    await record(trx, clock, found.walletId, {
      event: 'webhook.deleted',
      actor,
      data: { before: factsOf(found) },
    })
  })
}

/** Pauses a webhook. Events are kept until it is resumed. Does nothing if it is paused. */
export async function pauseWebhook(
  { db, clock }: Pick<WebhookParts, 'db' | 'clock'>,
  account: WebhookAccount | undefined,
  id: string,
  reason: PauseReason,
  by: By,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, id, account)
    await pauseIn(trx, clock, found, reason, by)
  })
}

/** Pauses a locked webhook; returns whether it was active. */
export async function pauseIn(
  trx: Db,
  clock: Clock,
  found: StoredWebhook,
  reason: PauseReason,
  by: By,
): Promise<boolean> {
  if (found.pausedAt !== null) return false
  await changeWebhook(trx, found.id, { pausedAt: clock.now(), pauseReason: reason })
  const data = { name: found.name, reason }
  await record(trx, clock, found.walletId, { event: 'webhook.paused', ...by, data })
  return true
}

/** Resumes a webhook where it stopped. Does nothing if it is active. */
export async function resumeWebhook(
  { db, clock }: Pick<WebhookParts, 'db' | 'clock'>,
  account: WebhookAccount | undefined,
  id: string,
  by: By,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, id, account)
    if (found.pausedAt === null) return
    await changeWebhook(trx, found.id, { pausedAt: null, pauseReason: null, failingSince: null })
    await retryPending(trx, found.id, clock.now())
    await record(trx, clock, found.walletId, { event: 'webhook.resumed', ...by, data: { name: found.name } })
  })
}

/** Delivers all events since a moment again, in their order. */
export async function replayWebhook(
  { db, clock }: Pick<WebhookParts, 'db' | 'clock'>,
  account: WebhookAccount | undefined,
  { id, from }: { readonly id: string; readonly from: Date },
  by: By,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, id, account)
    await rewindWebhook(trx, found.id, from)
    const data = { name: found.name, from: from.toISOString() }
    await record(trx, clock, found.walletId, { event: 'webhook.replayed', ...by, data })
  })
}

/** The loggable facts of a webhook: the path and query of its URL may contain a secret. */
function factsOf({ name, url, types }: WantedWebhook) {
  return { name, host: new URL(url).host, types: [...types] }
}

async function hold(trx: Db, id: string, account: WebhookAccount | undefined): Promise<StoredWebhook> {
  const found = isUuid(id) ? await holdWebhook(trx, id) : undefined
  if (found === undefined || (account !== undefined && found.walletId !== account.walletId))
    throw new NotFound()
  return found
}

/** Logs a change at the account's owner. */
async function record(
  trx: Db,
  clock: Clock,
  walletId: string,
  entry: By & { readonly event: string; readonly data: Record<string, unknown> },
): Promise<void> {
  const owner = await ownerOfWallet(trx, walletId)
  if (owner === undefined) return
  await audit(trx, clock, { tenantId: owner.tenantId, objectType: 'user', objectId: owner.id, ...entry })
}
