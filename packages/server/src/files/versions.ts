import type { Actor } from '../platform/audit.ts'
import { NotFound } from '../platform/http/errors.ts'
import { newUuid } from '../platform/ids.ts'
import type { FileParts } from './file-parts.ts'
import type { Item } from './items/item.ts'
import { readItem } from './items/item-store.ts'
import { holdTree } from './items/tree-store.ts'
import { requireRoom } from './quota.ts'
import { recordFile } from './record.ts'
import { insertVersion, readVersion, removeVersion, type Version } from './version-store.ts'

/** Restores an earlier version by adding a new one with the same content, so that nothing is lost. */
export async function restoreVersion(
  { db, clock, settings }: Pick<FileParts, 'db' | 'clock' | 'settings'>,
  wanted: Item,
  version: Version,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdTree(trx, wanted.ownerId)
    const item = await readItem(trx, wanted.id)
    const known = await readVersion(trx, version.id)
    if (item === undefined || item.deletedAt !== null || known === undefined) throw new NotFound()
    const { size, mimetype, changedAt, contentId } = known
    await insertVersion(trx, {
      id: newUuid(),
      item: { ...item, size, mimetype, changedAt },
      contentId,
      by: actor.userId ?? null,
      now: clock.now(),
    })
    await requireRoom(trx, item.ownerId, settings.FILES_FREE_GIB)
    await recordFile(trx, clock, 'file.version-restored', item, actor, { version: known.number })
  })
}

/**
 * Deletes a version other than the current one. Throws NotFound if it has become current or no longer exists.
 */
export async function deleteVersion(
  { db, clock }: Pick<FileParts, 'db' | 'clock'>,
  item: Item,
  version: Version,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await holdTree(trx, item.ownerId)
    const known = await readVersion(trx, version.id)
    if (known === undefined || known.replacedAt === null) throw new NotFound()
    await removeVersion(trx, version.id)
    await recordFile(trx, clock, 'file.version-deleted', item, actor, { version: known.number })
  })
}
