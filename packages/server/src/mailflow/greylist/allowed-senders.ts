import { senderEntry } from '../../directory/groups/sender-policy.ts'
import { type Actor, type AuditEntry, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { deleteAllowedSender, insertAllowedSender, readAllowedSenders } from './allowed-sender-store.ts'

export interface ChangeParts {
  readonly db: Db
  readonly clock: Clock
}

/** Who makes a change. Callers have checked the permission. */
export interface ChangedBy {
  readonly actor: Actor
  readonly comment?: string
}

/** The user whose mail it is about. */
export interface MailboxUser {
  readonly id: number
  readonly tenantId: number
}

/** Entries of one user. */
const mostEntries = 1000

/** Returns the senders whose mail a user never waits for. */
export function allowedSenders(db: Db, userId: number): Promise<string[]> {
  return readAllowedSenders(db, userId)
}

/**
 * Never delays mail of an address, a domain or a suffix such as `.example.com` for a user. Returns the entry as it is
 * stored. Throws ValidationError.
 */
export async function allowSender(
  { db, clock }: ChangeParts,
  user: MailboxUser,
  sent: string,
  by: ChangedBy,
): Promise<string> {
  const entry = senderEntry(sent)
  if (entry === undefined) throw ValidationError.at('sender', 'directory.sp-entry-invalid')
  await db.transaction().execute(async (trx) => {
    const existing = await readAllowedSenders(trx, user.id)
    if (existing.includes(entry)) return
    if (existing.length >= mostEntries) {
      throw ValidationError.at('sender', 'domains.spf-too-many', { max: mostEntries })
    }
    if (!(await insertAllowedSender(trx, user.id, entry, clock.now()))) return
    await audit(trx, clock, entryAbout(user, 'mail.sender-allowed', entry, by))
  })
  return entry
}

/** Removes an allowed sender. Throws NotFound. */
export async function removeAllowedSender(
  { db, clock }: ChangeParts,
  user: MailboxUser,
  entry: string,
  by: ChangedBy,
): Promise<void> {
  const stored = senderEntry(entry) ?? entry
  await db.transaction().execute(async (trx) => {
    if (!(await deleteAllowedSender(trx, user.id, stored))) throw new NotFound()
    await audit(trx, clock, entryAbout(user, 'mail.sender-removed', stored, by))
  })
}

function entryAbout({ id, tenantId }: MailboxUser, event: string, sender: string, by: ChangedBy): AuditEntry {
  return { tenantId, objectType: 'user', objectId: id, event, ...by, data: { sender } }
}
