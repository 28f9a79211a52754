import { type Actor, audit } from '../../platform/audit.ts'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type FieldMessages, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { restoreSubscriptions } from '../../subscriptions/restore-subscriptions.ts'
import { checkOwnDomain } from '../../users/addresses/new-address.ts'
import { holdUser } from '../../users/member-store.ts'
import { returnToDirectory } from '../departures.ts'
import { nameTaken } from './create-object.ts'
import { type DirectoryObject, departureOf } from './object.ts'
import { holdObject, isNameTaken, unmarkObjectDeleted } from './object-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Restores a deleted object with its addresses, members and rights, at its previous price. Throws NotFound if
 * it can no longer be restored and ValidationError with every obstacle. `retention` in days.
 */
export async function restoreObject(
  { db, clock }: Parts,
  object: DirectoryObject,
  by: Actor,
  retention: number,
  comment?: string,
): Promise<void> {
  await db
    .transaction()
    .execute((trx) => restoreObjectIn(trx, clock, object, by, retention, { comment }))
    .catch((error: unknown) => {
      throw nameTaken(error)
    })
}

/** Whether an operator restores, and the reason for the audit log. */
export interface RestoreOptions {
  readonly isOperator?: boolean
  readonly comment?: string | undefined
}

/**
 * Same as `restoreObject`, inside the caller's transaction. The caller maps the error of a name that is taken
 * concurrently. When an operator restores an account, objects in unconfirmed domains and SKUs that are no
 * longer on sale are restored too.
 */
export async function restoreObjectIn(
  trx: Db,
  clock: Clock,
  object: Pick<DirectoryObject, 'kind' | 'id' | 'walletId' | 'ownerId'>,
  by: Actor,
  retention: number,
  { isOperator = false, comment }: RestoreOptions = {},
): Promise<void> {
  await holdWallet(trx, object.walletId)
  if (!(await holdUser(trx, object.ownerId))) throw new NotFound()
  const now = await holdObject(trx, object.kind, object.id)
  const isLate = !isRestorable(now, clock, retention)
  if (now === undefined || isLate) throw new NotFound()
  await requireRoom(trx, now, isOperator ? 'any' : 'confirmed')
  await bringBack(trx, clock, now, { by, comment, mustBeOnSale: !isOperator })
}

/** Returns whether an object is deleted and still within the retention period. */
export function isRestorable(object: DirectoryObject | undefined, clock: Clock, retention: number): boolean {
  return object?.deletedAt != null && after(object.deletedAt, retention * day) > clock.now()
}

/**
 * Throws ValidationError unless the name is available and the domain still belongs to the account. `any`: the
 * domain has just been restored and awaits confirmation.
 */
export async function requireRoom(
  trx: Db,
  object: DirectoryObject,
  domains: 'confirmed' | 'any' = 'confirmed',
): Promise<void> {
  const { kind, domain, name, tenantId, ownerId } = object
  const found: Record<string, FieldMessages> = {}
  const checked = await checkOwnDomain(trx, { tenantId, ownerId }, domain, domains)
  if (checked.namespace === undefined) found.domain = checked.problem
  if (await isNameTaken(trx, kind, domain, name)) found.name = [message('directory.nameexists')]
  if (Object.keys(found).length > 0) throw new ValidationError(found)
}

async function bringBack(
  trx: Db,
  clock: Clock,
  object: DirectoryObject,
  {
    by,
    comment,
    mustBeOnSale,
  }: { readonly by: Actor; readonly comment: string | undefined; readonly mustBeOnSale: boolean },
): Promise<void> {
  const { kind, id, tenantId, walletId, name, email } = object
  const { deletedAt } = object
  if (deletedAt === null) throw new NotFound()
  await unmarkObjectDeleted(trx, clock, id)
  await restoreSubscriptions(trx, clock, { walletId, object: { type: kind, id }, deletedAt, mustBeOnSale })
  await returnToDirectory(trx, clock, departureOf(object), by)
  await audit(trx, clock, {
    tenantId,
    objectType: kind,
    objectId: id,
    event: `${kind}.restored`,
    actor: by,
    ...(comment !== undefined && { comment }),
    data: { after: { name, email } },
  })
  await provision(trx, { kind, id })
}
