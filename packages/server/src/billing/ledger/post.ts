import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { type PostedEntry, type Posting, signedAmount, usualCounterpart } from './entry.ts'
import { entryOfKey, insertEntry } from './ledger-store.ts'

/** The amount isn't a whole number of cents, is negative, or the key was already used for another event. */
export class IllegalPosting extends Error {
  override name = 'IllegalPosting'
}

/**
 * Writes a ledger entry for a wallet and updates its balance. Returns undefined for an amount of 0. An
 * existing key returns the first entry, or throws IllegalPosting if that differs. Call it inside the
 * transaction that it belongs to; writers of the same wallet wait until that ends.
 */
export async function post(db: Db, clock: Clock, posting: Posting): Promise<PostedEntry | undefined> {
  const { walletId, type, key } = posting
  if (!Number.isSafeInteger(posting.amount) || posting.amount < 0) {
    throw new IllegalPosting(`${posting.amount} is not an amount in cents`)
  }
  if (posting.amount === 0) return undefined
  const amount = signedAmount(type, posting.amount)
  const row = await insertEntry(db, {
    id: newUuid(),
    walletId,
    type,
    amount,
    account: posting.account ?? usualCounterpart[type],
    key,
    description: posting.text,
    parameters: JSON.stringify(posting.parameters ?? {}),
    actorId: posting.actor?.userId ?? null,
    actorEmail: posting.actor?.email ?? null,
    createdAt: clock.now(),
  })
  if (row !== undefined) return { id: row.id, walletId, amount, balance: row.balance, isNew: true }
  const first = await entryOfKey(db, key)
  if (first.walletId !== walletId || first.type !== type || first.amount !== amount) {
    throw new IllegalPosting(`${key} is already used by another entry`)
  }
  return { id: first.id, walletId, amount, balance: first.balance, isNew: false }
}
