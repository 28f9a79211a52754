import { randomUUID } from 'node:crypto'
import type { Actor } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import { type Db, isUniqueViolation } from '../platform/db/database.ts'
import { NotFound, ValidationError } from '../platform/http/errors.ts'
import type { Item } from './items/item.ts'
import { recordFile } from './record.ts'
import { tellOfShare } from './share-mail.ts'
import {
  countShares,
  insertShare,
  readShare,
  removeShare,
  type ShareRow,
  updateShare,
} from './share-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

type Wanted = Pick<ShareRow, 'address' | 'rights'>

/** Maximum number of shares per item. */
const most = 1000

/** Shares an item with an address. Throws a 422 at `user` if the address already has a share. */
export async function addShare(
  trx: Db,
  clock: Clock,
  item: Item,
  wanted: Wanted,
  actor: Actor,
): Promise<ShareRow> {
  const count = await countShares(trx, item.id)
  if (count >= most) throw ValidationError.at('user', 'files.too-many-items', { max: most })
  // fully random, because the other ids reveal their creation time
  const share = { id: randomUUID(), itemId: item.id, ...wanted, createdAt: clock.now() }
  if (!(await insertShare(trx, { ...share, createdBy: actor.userId ?? null }))) {
    throw ValidationError.at('user', 'files.permission-exists')
  }
  const data = { with: wanted.address, rights: wanted.rights }
  await recordFile(trx, clock, 'file.shared', item, actor, data)
  return share
}

/** Shares an item with the holder of an address and notifies them by e-mail. Throws like `addShare`. */
export function shareItem(parts: Parts, item: Item, wanted: Wanted, actor: Actor): Promise<ShareRow> {
  return parts.db.transaction().execute(async (trx) => {
    const share = await addShare(trx, parts.clock, item, wanted, actor)
    await tellOfShare(trx, share)
    return share
  })
}

/**
 * Changes the address or the rights of a share. Throws a 422 at `user` if the address has another share of the
 * item.
 */
export function changeShare(
  { db, clock }: Parts,
  item: Item,
  share: ShareRow,
  wanted: Wanted,
  actor: Actor,
): Promise<ShareRow> {
  const data = {
    before: { with: share.address, rights: share.rights },
    after: { with: wanted.address, rights: wanted.rights },
  }
  return db.transaction().execute(async (trx) => {
    try {
      await updateShare(trx, share.id, wanted)
    } catch (error) {
      if (isUniqueViolation(error)) throw ValidationError.at('user', 'files.permission-exists')
      throw error
    }
    await recordFile(trx, clock, 'file.share-changed', item, actor, data)
    const changed = { ...share, ...wanted }
    // a change of rights alone is not announced
    if (changed.address !== share.address) await tellOfShare(trx, changed)
    return changed
  })
}

/** Ends a share. */
export async function endShare(
  { db, clock }: Parts,
  item: Item,
  share: ShareRow,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await removeShare(trx, share.id)
    await recordFile(trx, clock, 'file.unshared', item, actor, { with: share.address })
  })
}

/** Returns a share of an item. Throws NotFound. */
export async function requireShare(db: Db, item: Item, id: string): Promise<ShareRow> {
  const share = await readShare(db, item.id, id)
  if (share === undefined) throw new NotFound()
  return share
}
