import { sql } from 'kysely'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { envelopeAddress } from '../arrival.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import { withoutTag } from '../submission/submission.ts'

/**
 * Remembers that a user has written to addresses, so that answers skip greylisting. Call it when a message of the user
 * is accepted; an address is written at most once a day.
 */
export async function noteCorrespondents(
  db: Db,
  clock: Clock,
  userId: number,
  addresses: readonly string[],
): Promise<void> {
  const known = addresses.map(envelopeAddress).filter((address) => senderAddress(address) !== undefined)
  // in order, so that two messages to the same people can't block each other
  const sorted = [...new Set(known.map(withoutTag))].sort()
  if (sorted.length === 0) return
  const now = clock.now()
  await sql`insert into mail_correspondents as c (user_id, address, since, last_seen)
    select ${userId}, address, ${now}, ${now} from unnest(${sorted}::text[]) address
    on conflict (user_id, address) do update set since = least(c.since, excluded.since), last_seen = excluded.last_seen
    where c.last_seen > excluded.last_seen or c.last_seen <= ${after(now, -day)}`.execute(db)
}
