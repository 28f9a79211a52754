import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { walletsUnder } from '../../users/member-store.ts'
import { participantsOf } from './room-store.ts'

export interface RoomFacts {
  readonly total: number
  /** Rooms with an open meeting. */
  readonly open: number
  /** The one with the most participants. */
  readonly busiest: { readonly name: string; readonly participants: number } | null
  /** The room to start or join: the busiest, otherwise the one that was used or created last. */
  readonly suggested: { readonly name: string; readonly title: string } | null
}

/** Counts the rooms in a user's list: those of their accounts and those shared with them. */
export async function roomFacts(
  db: Db,
  reader: { readonly userId: number; readonly tenantId: number },
): Promise<RoomFacts> {
  const { rows } = await sql<RoomFacts>`with shown as materialized (
      select r.id, coalesce(r.description, r.name) as name, r.name as slug, r.created_at from rooms r
      where (r.wallet_id = any(${walletsUnder(reader.userId)})
          or r.id in (select p.room_id from room_permissions p where p.user_id = ${reader.userId}))
        and r.tenant_id = ${reader.tenantId} and r.deleted_at is null
    ), held as materialized (
      select s.id, s.name, ${participantsOf(sql`m.id`)} as participants from shown s
        join meetings m on m.room_id = s.id and m.ended_at is null
    )
    select (select count(*)::int from shown) as total, (select count(*)::int from held) as open,
      (select json_build_object('name', name, 'participants', participants) from held
        order by participants desc, name limit 1) as busiest,
      (select json_build_object('name', s.slug, 'title', s.name) from shown s left join held h using (id)
        order by h.participants desc nulls last,
          coalesce((select max(m.created_at) from meetings m where m.room_id = s.id), s.created_at) desc, s.id
        limit 1) as suggested`.execute(db)
  const [row] = rows
  if (row === undefined) throw new RangeError('query returned no row')
  return row
}
