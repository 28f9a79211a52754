import type { Db } from '../../platform/db/database.ts'
import type { FileTicketTable } from '../../platform/db/schema-files.ts'

/** Something that an address opens for a short time. */
export interface Ticket {
  readonly hash: Buffer
  readonly kind: FileTicketTable['kind']
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
    .insertInto('fs_tickets')
    .values({
      hash: ticket.hash,
      kind: ticket.kind,
      user_id: ticket.userId,
      session_id: ticket.sessionId,
      link_id: ticket.linkId,
      item_ids: [...ticket.itemIds],
      version_id: ticket.versionId,
      name: ticket.name,
      expires_at: ticket.expiresAt,
      begun_at: null,
      begun_ip: null,
      created_at: now,
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
    .selectFrom('fs_tickets')
    .selectAll()
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return (
    row && {
      hash: row.hash,
      kind: row.kind,
      userId: row.user_id,
      sessionId: row.session_id,
      linkId: row.link_id,
      itemIds: row.item_ids,
      versionId: row.version_id,
      name: row.name,
      expiresAt: row.expires_at,
      begunAt: row.begun_at,
      begunIp: row.begun_ip,
    }
  )
}

/** Begins the download of a ticket, which happens once; false: it has begun. */
export async function beginTicket(
  db: Db,
  hash: Buffer,
  facts: { readonly now: Date; readonly ip: string; readonly expiresAt: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('fs_tickets')
    .set({ begun_at: facts.now, begun_ip: facts.ip, expires_at: facts.expiresAt })
    .where('hash', '=', hash)
    .where('begun_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends every address that a user was given. */
export async function endTicketsOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('fs_tickets').where('user_id', '=', userId).execute()
}

/** Ends every address that a link gave. */
export async function endTicketsOfLink(db: Db, linkId: string): Promise<void> {
  await db.deleteFrom('fs_tickets').where('link_id', '=', linkId).execute()
}

export async function removeExpiredTickets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('fs_tickets').where('expires_at', '<=', now).execute()
}
