import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { walletsUnder } from '../../users/member-store.ts'

/**
 * Maximum number of unfinished set-ups that are examined. Larger accounts report only the failures among
 * these.
 */
const mostLookedAt = 500

/** Objects with a problem: their number and the first of them. */
export interface Trouble {
  readonly count: number
  readonly name: string | null
  readonly id: number | null
}

export interface UserFacts {
  readonly total: number
  readonly active: number
  readonly pending: number
  readonly suspended: Trouble
  readonly failed: Trouble
}

/**
 * Counts the users in the accounts that a user owns or controls, using only the index `users_wallet` except
 * for the few unfinished set-ups.
 */
export async function userFacts(db: Db, readerId: number, withLdap: boolean): Promise<UserFacts> {
  const { active, imapReady, ldapReady, suspended, degraded } = userStatus
  const ready = active | imapReady | (withLdap ? ldapReady : 0)
  const { rows } = await sql<UserFacts>`with mine as materialized (
      select u.id, u.email, u.status & ${ready}::int = ${ready}::int as is_ready,
        u.status & ${suspended}::int <> 0 as is_suspended, u.status & ${degraded}::int <> 0 as is_degraded
      from users u where u.wallet_id = any(${walletsUnder(readerId)}) and u.deleted_at is null
    ), failed as (
      select m.id, m.email from (select * from mine where not is_ready order by email limit ${mostLookedAt}) m
      where exists (select from provisioning p
        where p.kind = 'user' and p.object_id = m.id and p.step = 'backend' and p.state = 'failed')
    )
    select (select count(*)::int from mine) as total,
      (select count(*)::int from mine where is_ready and not is_suspended and not is_degraded) as active,
      (select count(*)::int from mine where not is_ready) - (select count(*)::int from failed) as pending,
      (select json_build_object('count', count(*), 'name', min(email),
        'id', (array_agg(id order by email))[1]) from mine where is_suspended) as suspended,
      (select json_build_object('count', count(*), 'name', min(email),
        'id', (array_agg(id order by email))[1]) from failed) as failed`.execute(db)
  const [row] = rows
  if (row === undefined) throw new RangeError('query returned no row')
  return row
}
