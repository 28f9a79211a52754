import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** A short-lived URL that grants access to something. */
export interface Ticket {
  readonly hash: Buffer
  readonly kind: Schema['fsTickets']['kind']
  readonly userId: number | null
  readonly sessionId: string | null
  readonly linkId: string | null
  readonly itemIds: readonly string[]
  readonly versionId: string | null
  readonly name: string
  readonly expiresAt: Date
  readonly begunAt: Date | null
  readonly begunIp: string | null
}

export async function insertTicket(
  db: Db,
  ticket: Omit<Ticket, 'begunAt' | 'begunIp'>,
  now: Date,
): Promise<void> {
  await db
    .insertInto('fsTickets')
    .values({
      hash: ticket.hash,
      kind: ticket.kind,
      userId: ticket.userId,
      sessionId: ticket.sessionId,
      linkId: ticket.linkId,
      itemIds: [...ticket.itemIds],
      versionId: ticket.versionId,
      name: ticket.name,
      expiresAt: ticket.expiresAt,
      begunAt: null,
      begunIp: null,
      createdAt: now,
    })
    .execute()
}

export async function findTicket(
  db: Db,
  hash: Buffer,
  kind: Ticket['kind'],
  now: Date,
): Promise<Ticket | undefined> {
  const row = await db
    .selectFrom('fsTickets')
    .selectAll()
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return (
    row && {
      hash: row.hash,
      kind: row.kind,
      userId: row.userId,
      sessionId: row.sessionId,
      linkId: row.linkId,
      itemIds: row.itemIds,
      versionId: row.versionId,
      name: row.name,
      expiresAt: row.expiresAt,
      begunAt: row.begunAt,
      begunIp: row.begunIp,
    }
  )
}

/** Marks the download of a ticket as begun; false if it already was. */
export async function beginTicket(
  db: Db,
  hash: Buffer,
  facts: { readonly now: Date; readonly ip: string; readonly expiresAt: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('fsTickets')
    .set({ begunAt: facts.now, begunIp: facts.ip, expiresAt: facts.expiresAt })
    .where('hash', '=', hash)
    .where('begunAt', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Revokes all download URLs of a user. */
export async function endTicketsOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('fsTickets').where('userId', '=', userId).execute()
}

/** Revokes all download URLs issued through a link. */
export async function endTicketsOfLink(db: Db, linkId: string): Promise<void> {
  await db.deleteFrom('fsTickets').where('linkId', '=', linkId).execute()
}

export async function removeExpiredTickets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('fsTickets').where('expiresAt', '<=', now).execute()
}
