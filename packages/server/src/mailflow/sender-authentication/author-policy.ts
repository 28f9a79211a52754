import type { Db } from '../../platform/db/database.ts'
import { type Arrival, cleanArrival } from '../arrival.ts'
import type { Decision } from '../decision.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import { findRecipient } from '../recipients/recipient-store.ts'
import { decideSender } from './sender-decision.ts'
import type { SenderResults } from './sender-results.ts'
import { exceptionsOf } from './spf-policy.ts'

export interface AuthorPolicyParts {
  readonly db: Db
  readonly decisions: DecisionLog
  /** Domains whose ARC seals are believed. */
  readonly trustedSealers: readonly string[]
}

/** What proves the author of a whole message: applies DMARC, with the exceptions of the recipient, and records the result. */
export class AuthorPolicy {
  readonly #parts: AuthorPolicyParts

  constructor(parts: AuthorPolicyParts) {
    this.#parts = parts
  }

  /** Decides on a message for one of its recipients. SPF alone was decided before the message was sent. */
  async decide(
    raw: Arrival,
    { results, messageId }: { readonly results: SenderResults; readonly messageId: string | null },
  ): Promise<Decision> {
    const { db, decisions, trustedSealers } = this.#parts
    const arrival = cleanArrival(raw)
    const recipient = await findRecipient(db, arrival.recipient)
    const settings = { ...exceptionsOf(recipient), trustedSealers, spfFailure: 'reject-unproved' } as const
    const decision = decideSender({ clientName: arrival.clientName, sender: results }, settings)
    decisions.record('sender', decision, {
      direction: 'in',
      account: recipient ?? null,
      sender: arrival.sender,
      recipient: arrival.recipient,
      clientAddress: arrival.clientAddress,
      queueId: arrival.queueId,
      messageId,
      ownDomains: recipient?.accountDomains ?? [],
    })
    return decision
  }
}
