import { audit } from '../../platform/audit.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { envelopeAddress } from '../arrival.ts'
import { findRecipient, type Recipient } from '../recipients/recipient-store.ts'
import type { ChangedBy, ChangeParts } from './allowed-senders.ts'
import { writeRelease } from './greylist-store.ts'
import { senderKey } from './sender-key.ts'

/**
 * Accepts the next attempt of a sender to deliver mail to a recipient, and everything else that it sends within the
 * retry window. Throws NotFound if nobody here has the address.
 */
export async function letThrough(
  { db, clock }: ChangeParts,
  { recipient: address, sender }: { readonly recipient: string; readonly sender: string },
  by: ChangedBy,
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
