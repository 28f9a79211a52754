import { maxListedRooms, type RoomListItem, type roomRoutes } from '@gatehouse/contract/meetings/rooms'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { after, day, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'
import { walletsUnder } from '../../users/member-store.ts'
import { participantsOf } from './room-store.ts'

const pageSize = 20

type Query = z.output<(typeof roomRoutes)['GET /api/v4/rooms']['query']>

interface Row {
  total: number
  id: number
  name: string
  description: string | null
  isOwner: boolean
  meetingId: string | null
  participants: number
  createdAt: Date
  deletedAt: Date | null
}

export interface RoomPage {
  readonly list: RoomListItem[]
  readonly total: number
  readonly hasMore: boolean
}

/**
 * Lists rooms of the accounts that a user owns or controls and those shared with the user, by default by name.
 * Returns all of them without page and size. `retention` in days.
 */
export async function listRooms(
  db: Db,
  reader: { readonly userId: number; readonly tenantId: number },
  query: Query,
  { now, retention }: { readonly now: Date; readonly retention: number },
): Promise<RoomPage> {
  const isWhole = query.page == null && query.size == null
  const size = isWhole ? maxListedRooms : (query.size ?? pageSize)
  const offset = ((query.page ?? 1) - 1) * size
  const direction = sql.raw(query.order === 'desc' ? 'desc' : 'asc')
  const { rows } = await sql<Row>`with mine as (select ${walletsUnder(reader.userId)} as wallets),
    matches as materialized (
      select r.id, r.name, ${sortKey(query.sort)} as key, r.wallet_id = any(mine.wallets) as is_owner
      from rooms r cross join mine
      where (r.wallet_id = any(mine.wallets) or r.id in (
          select p.room_id from room_permissions p where p.user_id = ${reader.userId}))
        and r.tenant_id = ${reader.tenantId}
        ${stateCondition(query.status, after(now, -retention * day))} ${searchCondition(query.search)}
    ), page as (
      select * from matches order by key ${direction} nulls last, name ${direction}, id limit ${size} offset ${offset}
    )
    select t.total, r.id, r.name, r.description, r.created_at, r.deleted_at, p.is_owner, m.id as meeting_id,
      ${participantsOf(sql`m.id`)} as participants
    from (select count(*)::int as total from matches) t
      left join page p on true left join rooms r on r.id = p.id
      left join meetings m on m.room_id = r.id and m.ended_at is null
    order by p.key ${direction} nulls last, p.name ${direction}, p.id`.execute(db)
  const total = rows[0]?.total ?? 0
  // an empty page is a single row with the total
  const list = rows.filter((row) => row.id !== null).map((row) => present(row, retention))
  return { list, total, hasMore: total > offset + list.length }
}

function present(row: Row, retention: number): RoomListItem {
  const until = row.deletedAt && after(row.deletedAt, retention * day)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    created_at: wireDate(row.createdAt),
    deleted_at: row.deletedAt && wireDate(row.deletedAt),
    restorable_until: until && wireDate(until),
    isReady: true,
    isDeleted: row.deletedAt !== null,
    isOwner: row.isOwner,
    isOpen: row.meetingId !== null,
    participants: row.participants,
  }
}

function sortKey(sort: Query['sort']): RawBuilder<unknown> {
  switch (sort) {
    case 'description':
      return sql`r.description collate "und-x-icu"`
    case 'created':
      return sql`r.created_at`
    default:
      return sql`r.name`
  }
}

function searchCondition(search: string | null | undefined): RawBuilder<unknown> {
  if (search == null) return sql``
  return sql`and r.search_text like ${foldedPattern(search)}`
}

function stateCondition(status: Query['status'], since: Date): RawBuilder<unknown> {
  // rooms that can no longer be restored are hidden even before the nightly job has removed them; shares end
  // with the room
  if (status === 'deleted') {
    return sql`and r.deleted_at > ${since}::timestamptz and r.wallet_id = any(mine.wallets)`
  }
  return sql`and r.deleted_at is null`
}
