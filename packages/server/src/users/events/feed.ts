import type { EventMessage } from '@gatehouse/contract/events'
import type { Db } from '../../platform/db/database.ts'
import { walletsUnder } from '../member-store.ts'
import { eventBatch, type FeedRow, numberEvents, readFeed } from './feed-store.ts'

const defaultLimit = 100

export interface FeedQuery {
  readonly cursor?: string | null | undefined
  readonly limit?: number | null | undefined
  readonly type?: string | null | undefined
}

/** Returns events of the accounts that a user owns or controls, in the order of their positions. */
export async function accountFeed(db: Db, readerId: number, query: FeedQuery) {
  const numbered = await numberEvents(db)
  const limit = query.limit ?? defaultLimit
  const after = Number(query.cursor ?? 0)
  const rows = await readFeed(db, {
    wallets: walletsUnder(readerId),
    after,
    limit: limit + 1,
    type: query.type ?? undefined,
  })
  const list = rows.slice(0, limit)
  return {
    list: list.map(presentEvent),
    count: list.length,
    cursor: String(list.at(-1)?.position ?? after),
    hasMore: rows.length > limit || numbered === eventBatch,
  }
}

/** Presents an event to programs. */
export function presentEvent(row: FeedRow): EventMessage {
  const kind = actorKind(row)
  return {
    id: row.id,
    type: row.event,
    time: row.createdAt.toISOString(),
    object: { type: row.objectType, id: row.objectId, name: row.object },
    actor: { kind, id: kind === 'user' ? row.actorId : null, apiKey: row.apiKey },
    data: row.data,
  }
}

function actorKind({ isStaff, actorId, apiKey }: FeedRow): EventMessage['actor']['kind'] {
  if (isStaff) return 'staff'
  if (actorId !== null) return 'user'
  return apiKey === null ? 'system' : 'api-key'
}
