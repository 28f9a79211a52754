import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Arbitrary key, unique in this database, for the advisory lock. */
const nestingLock = 7_264_118_507

/** Returns the members that receive a list's mail, sorted. */
export async function readMembers(db: Db, groupId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('groupMembers')
    .select('address')
    .where('groupId', '=', groupId)
    .where('withdrawnAt', 'is', null)
    .execute()
  return rows.map((row) => row.address).sort()
}

/** Removes and adds members of a list. Withdrawn members stay withdrawn. */
export async function changeMembers(
  trx: Db,
  groupId: number,
  change: { readonly removed: readonly string[]; readonly added: readonly string[] },
): Promise<void> {
  if (change.removed.length > 0) {
    await sql`delete from group_members
      where group_id = ${groupId} and address = any(${change.removed}::text[])`.execute(trx)
  }
  if (change.added.length > 0) {
    await sql`insert into group_members (group_id, address)
      select ${groupId}, address from unnest(${change.added}::text[]) a(address)
      on conflict (group_id, address) do update set withdrawn_at = null`.execute(trx)
  }
}

/** A local address and what it belongs to. */
export interface KnownAddress {
  readonly kind: Schema['addresses']['kind']
  readonly isAlive: boolean
}

/** Returns the addresses that belong to a local object. */
export async function knownAddresses(
  db: Db,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, KnownAddress>> {
  const { rows } = await sql<{ address: string; kind: KnownAddress['kind']; isAlive: boolean }>`
    select a.address, a.kind, coalesce(u.deleted_at, o.deleted_at) is null as is_alive from addresses a
      left join users u on a.kind in ('user', 'alias') and u.id = a.object_id
      left join directory_objects o on a.kind not in ('user', 'alias') and o.id = a.object_id
    where a.address = any(${addresses}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.address, { kind: row.kind, isAlive: row.isAlive }]))
}

/** Serialises all writers of nested lists, across accounts, until the transaction ends. */
export async function holdNesting(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${nestingLock})`.execute(trx)
}

/**
 * Returns the lists whose mail reaches an address directly or indirectly. As its members they would close a
 * loop. Includes deleted lists, because they can be restored.
 */
export async function listsAbove(
  db: Db,
  address: string,
  candidates: readonly string[],
): Promise<ReadonlySet<string>> {
  const parents = (child: string) => sql`join group_members m on m.address = ${sql.ref(child)}
    and m.withdrawn_at is null join directory_objects g on g.id = m.group_id`
  const { rows } = await sql<{ email: string }>`with recursive above as (
      select g.email from (select ${address}::text as address) own ${parents('own.address')}
      union select g.email from above a ${parents('a.email')}
    ) select email from above where email = any(${candidates}::text[])`.execute(db)
  return new Set(rows.map((row) => row.email))
}

/** Returns true if any of the names is a domain of this installation that is not deleted. */
export async function isAnyDomain(db: Db, names: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('domains')
    .select('id')
    .where('namespace', 'in', names)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
