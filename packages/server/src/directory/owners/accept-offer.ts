import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { confirmHandOver, takeAccount } from './hand-over.ts'
import { offerHash } from './offer-mail.ts'
import { type OfferView, readOffer, takeOffer } from './offer-store.ts'
import { addController, listControllers } from './owner-store.ts'
import { accountOf, holdShared, type OwnerParts, record, tellAll } from './shared-account.ts'

/** Returns the offer of a code if it is addressed to this user. Throws NotFound otherwise. */
export async function requireOffer(
  { db, clock }: Pick<OwnerParts, 'db' | 'clock'>,
  code: string,
  userId: number,
): Promise<OfferView> {
  const offer = await readOffer(db, { codeHash: offerHash(code) }, clock.now())
  if (offer === undefined || offer.userId !== userId) throw new NotFound()
  return offer
}

/**
 * Accepts an offer. Throws NotFound if it belongs to someone else, has expired, or was withdrawn or accepted
 * already, and ValidationError if the account can't be handed over now.
 */
export async function acceptOffer(
  parts: OwnerParts,
  code: string,
  userId: number,
  actor: Actor,
): Promise<OfferView> {
  const { walletId } = await requireOffer(parts, code, userId)
  return parts.db.transaction().execute(async (trx) => {
    await holdShared(trx, walletId)
    const offer = await requireOffer({ ...parts, db: trx }, code, userId)
    if (!(await takeOffer(trx, offer.id))) throw new NotFound()
    if (offer.kind === 'controller') await becomeController(trx, parts, offer, userId, actor)
    else if (offer.kind === 'give') await confirmHandOver(trx, parts, offer, actor)
    else await takeAccount(trx, parts, offer, actor)
    return offer
  })
}

async function becomeController(
  trx: Db,
  parts: OwnerParts,
  offer: OfferView,
  userId: number,
  actor: Actor,
): Promise<void> {
  if (!(await addController(trx, offer.walletId, userId))) return
  const people = await listControllers(trx, offer.walletId)
  const email = people.find(({ id }) => id === userId)?.email ?? offer.email
  await record(trx, parts.clock, accountOf(offer), 'controller.added', email, { actor })
  await tellAll(trx, parts, people, 'controller-added', email)
}
