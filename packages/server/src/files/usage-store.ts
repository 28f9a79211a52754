import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** Returns a user's units of storage. */
export async function storageUnits(db: Db, userId: number): Promise<number> {
  const { units } = await db
    .selectFrom('entitlements as e')
    .innerJoin('skus as k', 'k.id', 'e.skuId')
    .select((eb) => eb.fn.countAll<number>().as('units'))
    .where('e.objectType', '=', 'user')
    .where('e.objectId', '=', userId)
    .where('e.deletedAt', 'is', null)
    .where('k.handler', '=', 'Storage')
    .executeTakeFirstOrThrow()
  return units
}

/** Returns the bytes used by a user. */
export async function usedBy(db: Db, userId: number): Promise<number> {
  const row = await db.selectFrom('fsUsage').select('bytes').where('userId', '=', userId).executeTakeFirst()
  return row?.bytes ?? 0
}

/** Returns bytes and units of storage of several users; `used` is null for those who never had a file. */
export async function usageOfUsers(
  db: Db,
  userIds: readonly number[],
): Promise<{ readonly id: number; readonly used: number | null; readonly units: number }[]> {
  const { rows } = await sql<{ id: number; used: number | null; units: number }>`select u.id,
      (select bytes from fs_usage where user_id = u.id) as used,
      (select count(*)::int from entitlements e join skus k on k.id = e.sku_id where e.object_type = 'user'
        and e.object_id = u.id and e.deleted_at is null and k.handler = 'Storage') as units
    from unnest(${userIds}::bigint[]) as u (id)`.execute(db)
  return rows
}

/** Returns a breakdown of a user's storage use in bytes. */
export async function usageOf(db: Db, userId: number) {
  const { rows } = await sql<{ used: number; trash: number; versions: number; uploads: number }>`select
      coalesce((select bytes from fs_usage where user_id = ${userId}::bigint), 0) as used,
      (select coalesce(sum(v.size), 0)::bigint from fs_versions v join fs_items i on i.id = v.item_id
        where v.owner_id = ${userId}::bigint and i.deleted_at is not null) as trash,
      (select coalesce(sum(v.size), 0)::bigint from fs_versions v join fs_items i on i.id = v.item_id
        where v.owner_id = ${userId}::bigint and v.replaced_at is not null and i.deleted_at is null) as versions,
      (select coalesce(sum(u.received), 0)::bigint from fs_uploads u
        where u.owner_id = ${userId}::bigint and u.finished_item_id is null) as uploads`.execute(db)
  const [usage] = rows
  if (usage === undefined) throw new RangeError('aggregate query returned no row')
  return usage
}
