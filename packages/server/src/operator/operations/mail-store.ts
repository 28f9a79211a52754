import type { operationRoutes } from '@gatehouse/contract/staff/operations'
import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { likePattern } from '../../platform/db/like-pattern.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { parseObjectId } from '../../platform/ids.ts'

type Filter = Pick<
  z.output<(typeof operationRoutes)['GET /api/v4/mails']['query']>,
  'outcome' | 'search' | 'user'
>

/** Lists delivered and failed mails, newest first. */
export async function listMails(
  db: Db,
  filter: Filter,
  part: { readonly limit: number; readonly offset: number },
): Promise<Selectable<Schema['mailLog']>[]> {
  let query = db.selectFrom('mailLog').selectAll()
  if (filter.outcome != null) query = query.where('outcome', '=', filter.outcome)
  // an invalid user id matches no mail
  if (filter.user != null) query = query.where('userId', '=', parseObjectId(filter.user) ?? 0)
  if (filter.search != null) {
    const pattern = likePattern(filter.search)
    query = query.where(
      sql<boolean>`lower(concat_ws(chr(10), subject, array_to_string(recipients, chr(10)))) like lower(${pattern})`,
    )
  }
  return query
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute()
}
