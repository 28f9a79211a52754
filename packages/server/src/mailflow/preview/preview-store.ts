import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Policy } from '../decisions/decision-store.ts'

/** A row of `mail_decisions` for a preview; `facts` aren't parsed yet. */
export interface KeptRow {
  readonly id: string
  readonly at: Date
  readonly objectId: number | null
  readonly sender: string
  readonly recipient: string
  readonly facts: unknown
}

/** Returns the newest `most` decisions of a policy about mail to an account since a moment, oldest first. */
export async function keptDecisions(
  db: Db,
  walletId: string,
  policy: Policy,
  since: Date,
  most: number,
): Promise<KeptRow[]> {
  const rows = await db
    .selectFrom('mailDecisions')
    .select(['id', 'decidedAt as at', 'objectId', 'sender', 'recipient', 'facts'])
    .where('walletId', '=', walletId)
    .where('policy', '=', policy)
    .where('direction', '=', 'in')
    .where('decidedAt', '>=', since)
    .orderBy('decidedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({ ...row, recipient: row.recipient ?? '' })).reverse()
}

/** Returns the users of an account with a setting of their own, by id. */
export async function ownSettings(db: Db, walletId: string, key: string): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('users as u')
    .innerJoin('userSettings as s', (join) => join.onRef('s.userId', '=', 'u.id').on('s.key', '=', key))
    .select(['u.id', 's.value'])
    .where('u.walletId', '=', walletId)
    .where(sql<boolean>`u.deleted_at is null`)
    .execute()
  return new Map(rows.map(({ id, value }) => [id, value]))
}
