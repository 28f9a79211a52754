import { senderEntry } from '../../directory/groups/sender-policy.ts'
import { type Actor, type AuditEntry, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { envelopeAddress } from '../arrival.ts'
import { findRecipient, type Recipient } from '../recipients/recipient-store.ts'
import { deleteAllowedSender, insertAllowedSender, readAllowedSenders } from './allowed-sender-store.ts'
import { writeRelease } from './greylist-store.ts'
import { senderKey } from './sender-key.ts'

export interface WishParts {
  readonly db: Db
  readonly clock: Clock
}

/** Who asks for it; the only check of permissions is the caller's. */
export interface WishedBy {
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

/**
 * Accepts the next attempt of a sender to deliver mail to a recipient, and everything else that it sends within the
 * retry window. Throws NotFound if nobody here has the address.
 */
export async function letThrough(
  { db, clock }: WishParts,
  { recipient: address, sender }: { readonly recipient: string; readonly sender: string },
  by: WishedBy,
): Promise<Recipient> {
  const recipient = await findRecipient(db, envelopeAddress(address))
  if (recipient === undefined) throw new NotFound()
  const { kind, id, tenantId } = recipient
  const canonical = envelopeAddress(sender)
  const { local, domain } = senderKey(canonical)
  const key = { recipientKind: kind, recipientId: id, senderLocal: local, senderDomain: domain }
  await db.transaction().execute(async (trx) => {
    await writeRelease(trx, key, clock.now())
    const entry = { tenantId, objectType: kind, objectId: id, event: 'mail.let-through' }
    await audit(trx, clock, { ...entry, ...by, data: { sender: canonical } })
  })
  return recipient
}

/** Returns the senders whose mail a user never waits for. */
export function allowedSenders(db: Db, userId: number): Promise<string[]> {
  return readAllowedSenders(db, userId)
}

/**
 * Never delays mail of an address, a domain or a suffix such as `.example.com` for a user. Returns the entry as it is
 * stored. Throws ValidationError.
 */
export async function allowSender(
  { db, clock }: WishParts,
  user: MailboxUser,
  sent: string,
  by: WishedBy,
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
  { db, clock }: WishParts,
  user: MailboxUser,
  entry: string,
  by: WishedBy,
): Promise<void> {
  const stored = senderEntry(entry) ?? entry
  await db.transaction().execute(async (trx) => {
    if (!(await deleteAllowedSender(trx, user.id, stored))) throw new NotFound()
    await audit(trx, clock, entryAbout(user, 'mail.sender-removed', stored, by))
  })
}

function entryAbout({ id, tenantId }: MailboxUser, event: string, sender: string, by: WishedBy): AuditEntry {
  return { tenantId, objectType: 'user', objectId: id, event, ...by, data: { sender } }
}
