import { domainType, groupStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { provisionAll } from '../../platform/provision/provision.ts'
import type { Purgeable } from '../../platform/purge.ts'
import type { DirectoryKind } from './object.ts'

/** Objects that one transaction removes. */
const batch = 500

/**
 * Removes lists, resources and shared folders that were deleted long enough ago, as soon as the back end has
 * forgotten them: nobody can restore them, and their addresses are free. An address in a public domain is never
 * given to anybody again. What users who are gone for good left in lists and folders goes with them.
 */
export class PurgeObjects implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock
  readonly #retention: number

  /** `retention` in days. */
  constructor(db: Db, clock: Clock, retention: number) {
    this.#db = db
    this.#clock = clock
    this.#retention = retention * day
  }

  async purge(): Promise<void> {
    const before = after(this.#clock.now(), -this.#retention)
    while ((await this.#removeSome(before)) === batch);
    await sql`delete from group_members where withdrawn_at <= ${before}::timestamptz`.execute(this.#db)
    await sql`delete from folder_acl r using users u
      where u.id = r.user_id and u.deleted_at <= ${before}::timestamptz`.execute(this.#db)
    await sql`update directory_objects o set invitation_policy = 'accept', invitation_owner_id = null from users u
      where u.id = o.invitation_owner_id and u.deleted_at <= ${before}::timestamptz`.execute(this.#db)
  }

  /** Returns how many objects went. */
  #removeSome(before: Date): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: number }>`select id from directory_objects
        where deleted_at <= ${before}::timestamptz and status & ${groupStatus.deleted}::int <> 0
        order by id limit ${batch} for update`.execute(trx)
      return removeObjects(
        trx,
        rows.map((row) => row.id),
      )
    })
  }
}

/** Removes deleted objects for good and frees their addresses, in a transaction that holds them. Returns how many went. */
export async function removeObjects(trx: Db, wanted: readonly number[]): Promise<number> {
  const { rows } = await sql<{ id: number; kind: DirectoryKind }>`delete from directory_objects
    where id = any(${wanted}::bigint[]) returning id, kind`.execute(trx)
  const ids = rows.map((row) => row.id)
  const owned = sql`a.kind in ('group', 'resource', 'shared-folder', 'folder-alias')
    and a.object_id = any(${ids}::bigint[])`
  const isPublic = sql`exists (select from domains d where d.namespace = split_part(a.address, '@', 2)
    and d.type & ${domainType.public}::int <> 0)`
  await sql`delete from addresses a where ${owned} and not ${isPublic}`.execute(trx)
  // 0 is the number of nothing
  await sql`update addresses a set object_id = 0 where ${owned}`.execute(trx)
  // what is noted of the work on them goes with them
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const gone = rows.filter((row) => row.kind === kind)
    await provisionAll(
      trx,
      kind,
      gone.map((row) => row.id),
    )
  }
  return ids.length
}
