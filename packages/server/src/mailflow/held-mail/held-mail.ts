import { type Actor, audit } from '../../platform/audit.ts'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Reason } from '../reasons.ts'
import {
  type DecidedMessage,
  decideMessage,
  decideMessagesBefore,
  decideMessagesOf,
  decisionsToCarryOut,
  type HeldDecision,
  type HeldMessage,
  markCarriedOut,
  removeDecided,
  undecidedMessages,
  writeConfirmation,
} from './held-mail-store.ts'

export interface HeldMailParts {
  readonly db: Db
  readonly clock: Clock
}

/** Who decided, and why. */
export interface DecidedBy {
  readonly actor: Actor
  readonly comment?: string
}

/** Mail is held for this time, then it's discarded. Decided messages are listed for as long. */
export const heldFor = 30 * day
const mostListed = 1000

/** What a confirmation by the owner releases. Suspended and degraded users stay so. */
const confirmable: readonly Reason[] = [
  'rate.suspected-takeover',
  'rate.messages-per-hour',
  'rate.recipients-per-hour',
  'rate.messages-per-day',
  'rate.recipients-per-day',
]

const events: Readonly<Record<HeldDecision, string>> = {
  release: 'held-mail.released',
  discard: 'held-mail.discarded',
}

/** Returns the held messages of an account that wait for a decision, oldest first; without an account, all. */
export function listHeld({ db }: Pick<HeldMailParts, 'db'>, walletId?: string): Promise<HeldMessage[]> {
  return undecidedMessages(db, walletId, mostListed)
}

/** Lets the mail server deliver a held message; false if it doesn't exist or was decided before. */
export function releaseHeld(parts: HeldMailParts, id: string, by: DecidedBy): Promise<boolean> {
  return decideHeld(parts, id, 'release', by)
}

/** Lets the mail server delete a held message; false if it doesn't exist or was decided before. */
export function discardHeld(parts: HeldMailParts, id: string, by: DecidedBy): Promise<boolean> {
  return decideHeld(parts, id, 'discard', by)
}

function decideHeld({ db, clock }: HeldMailParts, id: string, decision: HeldDecision, by: DecidedBy) {
  return db.transaction().execute(async (trx) => {
    const decidedBy = by.actor.userId ?? null
    const message = await decideMessage(trx, id, { decision, decidedBy, now: clock.now() })
    if (message === undefined) return false
    await auditDecisions(trx, clock, [message], decision, by)
    return true
  })
}

/**
 * Records that an account's owner knows about unusual sending of a user: until then it isn't a reason to hold mail. Mail
 * of the user that is held for it, or above a limit, is released. Returns the number of released messages; undefined: no
 * such user.
 */
export function confirmSending(
  { db, clock }: HeldMailParts,
  userId: number,
  until: Date,
  by: DecidedBy,
): Promise<number | undefined> {
  return db.transaction().execute(async (trx) => {
    const tenantId = await writeConfirmation(trx, userId, until)
    if (tenantId === undefined) return undefined
    const change = { decision: 'release', decidedBy: by.actor.userId ?? null, now: clock.now() } as const
    const released = await decideMessagesOf(trx, userId, confirmable, change)
    const data = { until: until.toISOString(), released: released.length }
    const event = 'sending.confirmed'
    await audit(trx, clock, { tenantId, objectType: 'user', objectId: userId, event, ...by, data })
    return released.length
  })
}

/** What the mail server has to do, by queue id. */
export interface HeldMailWork {
  readonly release: readonly string[]
  readonly discard: readonly string[]
}

/** Returns the queue ids of messages to release and to discard. Call `heldWorkDone` afterwards. */
export async function heldWork({ db }: Pick<HeldMailParts, 'db'>): Promise<HeldMailWork> {
  const rows = await decisionsToCarryOut(db, mostListed)
  const idsOf = (decision: HeldDecision) =>
    rows.filter((row) => row.decision === decision).map(({ queueId }) => queueId)
  return { release: idsOf('release'), discard: idsOf('discard') }
}

/** Records that the mail server released or discarded messages. */
export async function heldWorkDone({ db, clock }: HeldMailParts, queueIds: readonly string[]): Promise<void> {
  await markCarriedOut(db, queueIds, clock.now())
}

/** Discards mail that nobody decided about, and forgets decided messages. */
export class PurgeHeldMail {
  readonly #parts: HeldMailParts

  constructor(parts: HeldMailParts) {
    this.#parts = parts
  }

  async purge(): Promise<void> {
    const { db, clock } = this.#parts
    const now = clock.now()
    const before = after(now, -heldFor)
    await removeDecided(db, before)
    await db.transaction().execute(async (trx) => {
      const change = { decision: 'discard', decidedBy: null, now } as const
      const discarded = await decideMessagesBefore(trx, before, change)
      await auditDecisions(trx, clock, discarded, 'discard', { actor: {} })
    })
  }
}

async function auditDecisions(
  trx: Db,
  clock: Clock,
  messages: readonly DecidedMessage[],
  decision: HeldDecision,
  by: DecidedBy,
): Promise<void> {
  for (const { userId, tenantId, sender, queueId, recipientCount } of messages) {
    // a sender who is nobody here has no activity
    if (userId === null || tenantId === null) continue
    const data = { sender, recipients: recipientCount, ...(queueId !== null && { queueId }) }
    const event = events[decision]
    await audit(trx, clock, { tenantId, objectType: 'user', objectId: userId, event, ...by, data })
  }
}
