import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { anyRow, columnArray, rowsFrom, runPrepared, withoutFlush } from '../../platform/db/prepared.ts'
import { envelopeAddress } from '../arrival.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import { withoutTag } from '../submission/submission.ts'

/** Addresses that a user has written to. */
export interface Correspondents {
  readonly userId: number
  readonly addresses: readonly string[]
}

/** In the order of their keys, so that two messages to the same people can't block each other. */
const correspondentWrite = {
  name: 'mail-correspondents',
  text: `insert into mail_correspondents as c (user_id, address, since, last_seen)
    select distinct q.user_id, q.address, $1::timestamptz, $1::timestamptz
      from ${rowsFrom(['bigint', 'text'], 2)} as q(user_id, address), ${withoutFlush()}
      where ${anyRow('from users u where u.id = q.user_id')}
      order by q.user_id, q.address
    on conflict (user_id, address) do update set since = least(c.since, excluded.since), last_seen = excluded.last_seen
    where c.last_seen > excluded.last_seen or c.last_seen <= excluded.last_seen - interval '1 day'`,
}

/**
 * Writes whom users have written to. An address is written at most once a day. Doesn't wait for the disk, so it must not be
 * part of a transaction: after a crash of the database server, addresses of its last second are missing.
 */
export async function writeCorrespondents(
  on: Pool | Db,
  now: Date,
  found: readonly Correspondents[],
): Promise<void> {
  const rows = found.flatMap(({ userId, addresses }) => {
    const known = addresses.map(envelopeAddress).filter((address) => senderAddress(address) !== undefined)
    return known.map((address) => ({ userId, address: withoutTag(address) }))
  })
  if (rows.length === 0) return
  const columns = [columnArray(rows, ({ userId }) => userId), columnArray(rows, ({ address }) => address)]
  await runPrepared(on, correspondentWrite, [now, ...columns])
}

/**
 * Remembers that a user has written to addresses, so that answers skip greylisting. Call it when a message of the user
 * is accepted.
 */
export async function noteCorrespondents(
  db: Db,
  clock: Clock,
  userId: number,
  addresses: readonly string[],
): Promise<void> {
  await writeCorrespondents(db, clock.now(), [{ userId, addresses }])
}
