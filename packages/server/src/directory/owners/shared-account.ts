import type { WalletRecord } from '../../billing/wallet/wallet-store.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Forbidden, message } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { SecurityNoticeKind } from '../../platform/mailer/templates/security-mail.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { tellSecurity } from '../../sessions/security-notice.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import type { OfferView } from './offer-store.ts'
import { isTenantWallet, type StoredController } from './owner-store.ts'

export interface OwnerParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly secrets: Secrets
}

/** Who makes the change and, for staff, the reason. */
export interface SharedBy {
  readonly actor: Actor
  readonly comment?: string
}

/** The part of an account that these rules use. */
export type Account = Pick<WalletRecord, 'id' | 'ownerId' | 'owned'>

/** Returns the account of an offer. */
export function accountOf(offer: OfferView): Account {
  const { walletId: id, ownerId, tenantId } = offer
  return { id, ownerId, owned: { tenantId, ownerId, controllerIds: [] } }
}

/** Locks the account. Throws Forbidden for a tenant's wallet. */
export async function holdShared(trx: Db, walletId: string): Promise<void> {
  await holdWallet(trx, walletId)
  if (await isTenantWallet(trx, walletId)) throw new Forbidden(message('owners.tenant'))
}

/** Events that take something away from a user. */
const ends: readonly string[] = [
  'controller.left',
  'controller.removed',
  'controller.invitation-withdrawn',
  'controller.hand-over-withdrawn',
]

/** Logs an event of an account and the user affected. */
export function record(
  trx: Db,
  clock: Clock,
  { owned, ownerId }: Account,
  event: string,
  email: string,
  by: SharedBy,
): Promise<void> {
  const object = { objectType: 'user', objectId: ownerId }
  const data = ends.includes(event) ? { before: { email } } : { after: { email } }
  return audit(trx, clock, { tenantId: owned.tenantId, ...object, event, ...by, data })
}

/** Notifies everyone affected by e-mail and names the user in question. */
export async function tellAll(
  trx: Db,
  parts: { readonly clock: Clock },
  people: readonly StoredController[],
  kind: SecurityNoticeKind,
  email: string,
): Promise<void> {
  for (const { id } of people) await tellSecurity(trx, parts, { userId: id, kind, what: email })
}
