import type { Actor } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { NotFound } from '../platform/http/errors.ts'
import { newUuid } from '../platform/ids.ts'
import { type Item, readItem } from './items/item.ts'
import { holdTree } from './items/tree-store.ts'
import { requireRoom } from './quota.ts'
import { recordFile } from './record.ts'
import { insertVersion, readVersion, removeVersion, type Version } from './version-store.ts'

/** Makes an earlier version the present one again: a new version with the same content, so that nothing is lost by it. */
export async function restoreVersion(
  trx: Db,
  { clock, freeGib }: { readonly clock: Clock; readonly freeGib: number },
  wanted: Item,
  version: Version,
  actor: Actor,
): Promise<void> {
  await holdTree(trx, wanted.ownerId)
  const item = await readItem(trx, wanted.id)
  const known = await readVersion(trx, version.id)
  if (item === undefined || item.deletedAt !== null || known === undefined) throw new NotFound()
  const now = clock.now()
  const { size, mimetype, changedAt, contentId } = known
  await insertVersion(trx, {
    id: newUuid(),
    item: { ...item, size, mimetype, changedAt },
    contentId,
    by: actor.userId ?? null,
    now,
  })
  await requireRoom(trx, item.ownerId, freeGib)
  await recordFile(trx, clock, 'file.version-restored', item, actor, { version: known.number })
}

/** Deletes a version that is not the present one. Throws NotFound when it has become that, or is gone. */
export async function deleteVersion(
  trx: Db,
  clock: Clock,
  item: Item,
  version: Version,
  actor: Actor,
): Promise<void> {
  await holdTree(trx, item.ownerId)
  const known = await readVersion(trx, version.id)
  if (known === undefined || known.replacedAt === null) throw new NotFound()
  await removeVersion(trx, version.id)
  await recordFile(trx, clock, 'file.version-deleted', item, actor, { version: known.number })
}
