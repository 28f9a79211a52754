import { directoryKinds } from '@gatehouse/contract/directory/kinds'
import { groupStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { walletsUnder } from '../../users/member-store.ts'
import type { Trouble } from '../users/user-facts-store.ts'
import type { DirectoryKind } from './object.ts'

export interface ObjectFacts {
  readonly total: number
  /** Total of all lists. */
  readonly members: number
  readonly mail: number
  readonly calendars: number
  readonly addressBooks: number
  readonly failed: Trouble
  readonly suspended: Trouble
  /** Lists without members. */
  readonly empty: Trouble
}

const nobody: Trouble = { count: 0, name: null, id: null }
const none: ObjectFacts = {
  ...{ total: 0, members: 0, mail: 0, calendars: 0, addressBooks: 0 },
  ...{ failed: nobody, suspended: nobody, empty: nobody },
}

/**
 * Counts the lists, resources and folders in the accounts that a user owns or controls, using only the index
 * `directory_objects_wallet`. Failures are looked up among the few unfinished set-ups.
 */
export async function objectFacts(db: Db, readerId: number): Promise<Record<DirectoryKind, ObjectFacts>> {
  const isEmpty = sql`o.kind = 'group' and o.members = 0`
  const isSuspended = sql`o.kind = 'group' and o.status & ${groupStatus.suspended}::int <> 0`
  const trouble = (condition: ReturnType<typeof sql>) => sql`json_build_object(
    'count', count(*) filter (where ${condition}),
    'name', (array_agg(o.sort_name order by o.sort_name) filter (where ${condition}))[1],
    'id', (array_agg(o.id order by o.sort_name) filter (where ${condition}))[1])`
  const { rows } = await sql<ObjectFacts & { kind: DirectoryKind }>`select o.kind, count(*)::int as total,
      sum(o.members)::int as members,
      (count(*) filter (where o.folder_type = 'mail'))::int as mail,
      (count(*) filter (where o.folder_type = 'event'))::int as calendars,
      (count(*) filter (where o.folder_type = 'contact'))::int as address_books,
      ${trouble(sql`f.object_id is not null`)} as failed, ${trouble(isSuspended)} as suspended,
      ${trouble(isEmpty)} as empty
    from directory_objects o left join provisioning f on f.kind = o.kind and f.object_id = o.id
      and f.step = 'backend' and f.state = 'failed'
    where o.wallet_id = any(${walletsUnder(readerId)}) and o.deleted_at is null
    group by o.kind`.execute(db)
  const found = new Map(rows.map(({ kind, ...facts }) => [kind, facts]))
  // the entries match the kinds
  return Object.fromEntries(directoryKinds.map((kind) => [kind, found.get(kind) ?? none])) as Record<
    DirectoryKind,
    ObjectFacts
  >
}
