import { returnForfeit } from '../billing/life-cycle/close-wallet.ts'
import { returnToDirectory } from '../directory/departures.ts'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Person } from '../platform/http/callers/principal.ts'
import { Forbidden, type HttpError, message, NotFound, ValidationError } from '../platform/http/errors.ts'
import { parseObjectId } from '../platform/ids.ts'
import { provision } from '../platform/provision/provision.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { restoreSubscriptions } from '../subscriptions/restore-subscriptions.ts'
import { canRestore, mayBuy, sees } from '../users/policy.ts'
import type { Retention } from '../users/retention.ts'
import { type DeletedUser, markRestored, readDeletedUsers } from './deleted-user-store.ts'

export interface RestoreParts {
  readonly db: Db
  readonly clock: Clock
  readonly retention: Retention
}

/**
 * Restores a deleted user: address, aliases, settings, password, list memberships, folder rights, and
 * subscriptions at their prices. What others had granted (delegations, control of the account) must be granted
 * again, because they may have found someone else. Throws NotFound if the user isn't deleted, or was deleted
 * too long ago.
 */
export async function restoreUser(
  parts: RestoreParts,
  principal: Person,
  idText: string,
  by: Actor,
): Promise<void> {
  const id = parseObjectId(idText)
  const [user] = id === undefined ? [] : await readDeletedUsers(parts.db, [id], parts.retention.since())
  if (user === undefined || !sees(principal, user)) throw new NotFound()
  if (!canRestore(principal, user)) throw new Forbidden()
  await parts.db.transaction().execute((trx) => restoreUserIn(trx, parts, principal, user.userId, by))
}

/**
 * The same in a transaction, with permissions rechecked. `principal` is undefined for the operator; `comment`
 * is the reason for the audit log.
 */
export async function restoreUserIn(
  trx: Db,
  parts: RestoreParts,
  principal: Person | undefined,
  id: number,
  by: Actor,
  comment?: string,
): Promise<void> {
  const { clock, retention } = parts
  const [known] = await readDeletedUsers(trx, [id], retention.since())
  if (known === undefined) throw new NotFound()
  await holdWallet(trx, known.walletId)
  // the domain may have been deleted, or the user restored, while waiting for the wallet lock
  const [user] = await readDeletedUsers(trx, [id], retention.since())
  if (user === undefined) throw new NotFound()
  const problem = restoreProblem(principal, user)
  if (problem !== undefined) throw problem
  if (!(await markRestored(trx, clock, id))) throw new NotFound()
  const { tenantId, walletId, deletedAt } = user
  if (user.ownerId === id) await returnForfeit(trx, clock, walletId, deletedAt, by)
  const units = await restoreSubscriptions(trx, clock, {
    walletId,
    object: { type: 'user', id },
    deletedAt,
    // as in every change, users keep their subscriptions
    mustBeOnSale: false,
  })
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event: 'user.restored',
    actor: by,
    ...(comment !== undefined && { comment }),
    data: { email: user.email, subscriptions: units.length },
  })
  const departure = { walletId, tenantId, addresses: [user.email, ...user.aliases], userId: id }
  await returnToDirectory(trx, clock, departure, by)
  await provision(trx, { kind: 'user', id })
}

/**
 * Why a deleted user can't be restored now; undefined if they can. `principal` is undefined for the operator.
 */
export function restoreProblem(principal: Person | undefined, user: DeletedUser): HttpError | undefined {
  const isOwner = user.ownerId === user.userId
  if (principal !== undefined) {
    if (!sees(principal, user)) return new NotFound()
    if (!canRestore(principal, user)) return new Forbidden()
    if (!mayBuy(user.ownerStatus)) return new Forbidden(message('users.degraded'))
  }
  if (user.isOwnerDeleted && !isOwner) return new Forbidden()
  if (!user.hasAddress) return ValidationError.at('email', 'users.restore-address')
  // the owner's own domain is restored right afterwards
  if (!user.hasDomain && !isOwner) return ValidationError.at('email', 'users.restore-domain')
  return undefined
}
