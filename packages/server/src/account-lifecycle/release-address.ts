import { removeObjects } from '../directory/objects/purge-objects.ts'
import { type Actor, audit } from '../platform/audit.ts'
import { type Clock, wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { Forbidden, NotFound, ValidationError } from '../platform/http/errors.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { canRestore, isController, sees } from '../users/policy.ts'
import { type AddressHolder, findHolder, removeAlias } from './deleted-address-store.ts'
import { forgetUsers } from './forget-deleted.ts'

/** Returns the deleted object that holds an address, if it is in an account that the caller controls. */
export async function deletedHolder(db: Db, principal: Principal, address: string) {
  const holder = await findHolder(db, address)
  if (holder === undefined || !isShown(principal, holder)) return null
  const { type, id, name, deletedAt, isPrimary } = holder
  return { type, id, name, deleted_at: wireDate(deletedAt), isPrimary }
}

/**
 * Releases an address held by a deleted object. An alias is removed from it; for its primary address the
 * object is purged, as at the end of its retention. Throws NotFound, Forbidden, and ValidationError while its
 * mailbox exists.
 */
export async function releaseAddress(
  parts: { readonly db: Db; readonly clock: Clock },
  principal: Principal,
  address: string,
  by: Actor,
): Promise<void> {
  const { db, clock } = parts
  await db.transaction().execute(async (trx) => {
    const known = await findHolder(trx, address)
    if (known === undefined || !isShown(principal, known)) throw new NotFound()
    if (!canRestore(principal, known)) throw new Forbidden()
    await holdWallet(trx, known.walletId)
    // it may have been restored while waiting for the wallet lock
    const holder = await findHolder(trx, address)
    if (holder === undefined || holder.id !== known.id) throw new NotFound()
    // the next holder of the address must not get the remains of the mailbox
    if (holder.isPrimary && !holder.isRemoved) throw ValidationError.at('address', 'users.release-later')
    await release(trx, clock, holder, address)
    await audit(trx, clock, {
      tenantId: holder.tenantId,
      objectType: 'user',
      objectId: holder.ownerId ?? principal.userId,
      event: 'user.address-released',
      actor: by,
      data: { address, type: holder.type, object: holder.id },
    })
  })
}

async function release(trx: Db, clock: Clock, { isPrimary, type, id }: AddressHolder, address: string) {
  if (!isPrimary) await removeAlias(trx, address)
  else if (type === 'user') await forgetUsers(trx, clock, [id])
  else await removeObjects(trx, [id])
}

function isShown(principal: Principal, holder: AddressHolder): boolean {
  return sees(principal, holder) && isController(principal.userId, holder)
}
