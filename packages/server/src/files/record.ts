import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Item } from './items/item.ts'

/** File events, logged for the owner and for the item itself. */
export type FileEvent =
  | 'file.created'
  | 'file.replaced'
  | 'file.updated'
  | 'file.moved'
  | 'file.copied'
  | 'file.deleted'
  | 'file.restored'
  | 'file.purged'
  | 'file.version-restored'
  | 'file.version-deleted'
  | 'file.shared'
  | 'file.share-changed'
  | 'file.unshared'
  | 'file.link-created'
  | 'file.link-changed'
  | 'file.link-deleted'
  | 'file.link-downloaded'
  | 'file.infected'

/** Logs an event of an item for its owner. */
export function recordFile(
  trx: Db,
  clock: Clock,
  event: FileEvent,
  item: Pick<Item, 'id' | 'name' | 'tenantId' | 'ownerId'>,
  actor: Actor,
  data: Record<string, unknown> = {},
): Promise<void> {
  return audit(trx, clock, {
    tenantId: item.tenantId,
    objectType: 'user',
    objectId: item.ownerId,
    event,
    actor,
    data: { file: item.id, name: item.name, ...data },
  })
}
