import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { Decision } from '../decision.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import { deliverySettings } from '../recipients/delivery-settings.ts'
import type { Recipient } from '../recipients/recipient-store.ts'
import { type ExternalSenderFacts, externalSender } from './external-sender.ts'

export interface ExternalMarkParts {
  readonly decisions: Pick<DecisionLog, 'record'>
}

/** A message on its way to a recipient. */
export interface MarkedMessage
  extends Pick<ExternalSenderFacts, 'sender' | 'author' | 'authentication' | 'recipient'> {
  readonly clientAddress: string | null
  readonly queueId: string | null
  readonly messageId: string | null
}

/** Decides whose messages are marked as external. */
export class ExternalMark {
  readonly #parts: ExternalMarkParts

  constructor(parts: ExternalMarkParts) {
    this.#parts = parts
  }

  /** Returns the decision for a user, which is also kept; undefined if the user has the mark switched off. */
  decide(user: Recipient, message: MarkedMessage): Decision | undefined {
    const settings = deliverySettings(user).externalSender
    if (!settings.isOn) return undefined
    const ownDomains = user.accountDomains
    const { sender, author, authentication, recipient, ...context } = message
    const decision = externalSender({ sender, author, authentication, recipient, ownDomains }, settings)
    this.#parts.decisions.record('external', decision, {
      ...context,
      direction: 'in',
      account: user,
      sender: canonicalAddress(sender),
      recipient: canonicalAddress(recipient),
      ownDomains,
    })
    return decision
  }
}
