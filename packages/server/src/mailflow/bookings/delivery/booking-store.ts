import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { BookingSettings } from '../booking.ts'

/** A resource as bookings need it. */
export interface BookableResource {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly policy: BookingSettings['policy']
  /** Null: nobody has to decide. */
  readonly managerId: number | null
  /** Of the account's owner; null: unknown. */
  readonly language: string | null
  readonly ownerId: number
  readonly walletId: string
}

/** Reads a resource; undefined if it was deleted. Without a manager who exists, everything is accepted. */
export async function readBookable(db: Db, id: number): Promise<BookableResource | undefined> {
  const { rows } = await sql<
    Omit<BookableResource, 'policy'> & { policy: 'accept' | 'reject' | 'manual'; manager: string | null }
  >`select o.id::float8 as id, o.email, o.name, o.invitation_policy as policy, m.id::float8 as "managerId",
      m.email as manager, p.language, p.id::float8 as "ownerId",
      w.id as "walletId"
    from directory_objects o join wallets w on w.id = o.wallet_id join users p on p.id = w.user_id
      left join users m on m.id = o.invitation_owner_id and m.deleted_at is null
    where o.id = ${id} and o.kind = 'resource' and o.deleted_at is null`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { policy, manager, ...resource } = row
  if (policy !== 'manual') return { ...resource, policy }
  return { ...resource, policy: manager === null ? 'accept' : `manual:${manager}` }
}

/** Makes changes of one resource's bookings wait for each other until the transaction ends. */
export async function holdBookings(trx: Db, resourceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('bookings', ${resourceId}))`.execute(trx)
}

/** A booking that waits for its manager. */
export interface BookingRequest {
  readonly id: string
  readonly resourceId: number
  readonly managerId: number
  readonly uid: string
  /** Sequence, and epoch seconds. */
  readonly sequence: number
  readonly stamp: number
  readonly summary: string
  readonly organizer: string
  /** Local time of its zone, or a day; null: unknown. */
  readonly starts: string | null
  readonly timeZone: string | null
  readonly isRecurring: boolean
}

/** Records a question. A newer revision of the same booking replaces it. */
export async function keepRequest(db: Db, request: BookingRequest, now: Date): Promise<void> {
  const { stamp, ...facts } = request
  const row = { ...facts, stamp: new Date(stamp * 1000), askedAt: now }
  await db
    .insertInto('bookingRequests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['resourceId', 'uid']).doUpdateSet(row))
    .execute()
}

/** Removes the question about a booking, because it was answered, cancelled or replaced. */
export async function dropRequest(db: Db, resourceId: number, uid: string): Promise<void> {
  await db.deleteFrom('bookingRequests').where('resourceId', '=', resourceId).where('uid', '=', uid).execute()
}

/** A question with its resource. */
export interface ListedRequest extends BookingRequest {
  readonly resourceName: string
  readonly resourceEmail: string
  readonly askedAt: Date
}

function listed(db: Db) {
  return db
    .selectFrom('bookingRequests as r')
    .innerJoin('directoryObjects as o', 'o.id', 'r.resourceId')
    .select(['r.id', 'r.resourceId', 'r.managerId', 'r.uid', 'r.summary', 'r.organizer', 'r.starts'])
    .select([
      'r.timeZone',
      'r.isRecurring',
      'r.askedAt',
      'o.name as resourceName',
      'o.email as resourceEmail',
    ])
    .select([
      sql<number>`r.sequence::float8`.as('sequence'),
      sql<number>`extract(epoch from r.stamp)::float8`.as('stamp'),
    ])
    .where('o.deletedAt', 'is', null)
}

/** Returns the bookings that wait for a manager, oldest first. */
export function requestsOf(db: Db, managerId: number, limit: number): Promise<ListedRequest[]> {
  return listed(db).where('r.managerId', '=', managerId).orderBy('r.askedAt').limit(limit).execute()
}

/** Returns a question; undefined if it was answered, or doesn't exist. */
export function findRequest(db: Db, id: string): Promise<ListedRequest | undefined> {
  return listed(db).where('r.id', '=', id).executeTakeFirst()
}

/** Removes questions that nobody answered. */
export async function removeRequests(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('bookingRequests').where('askedAt', '<', before).execute()
}

/** How many bookings wait for a manager, with the name of the resource if it is one. */
export async function requestFacts(
  db: Db,
  managerId: number,
): Promise<{ count: number; name: string | null; id: number | null }> {
  const { rows } = await sql<{ count: number; name: string | null }>`
    select count(*)::int as count, min(o.name) as name from booking_requests r
      join directory_objects o on o.id = r.resource_id and o.deleted_at is null
    where r.manager_id = ${managerId}`.execute(db)
  return { count: rows[0]?.count ?? 0, name: rows[0]?.name ?? null, id: null }
}
