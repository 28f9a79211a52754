import type { Db } from '../../platform/db/database.ts'
import { type Arrival, cleanArrival } from '../arrival.ts'
import type { Decision } from '../decision.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import type { RecipientLookup } from '../recipients/recipient-lookup.ts'
import { listAccess } from './list-access.ts'
import { findList } from './list-store.ts'
import type { SenderAuthentication } from './sender-authentication.ts'

export interface ListSendersParts {
  readonly db: Db
  readonly decisions: Pick<DecisionLog, 'record'>
  readonly recipients: Pick<RecipientLookup, 'find'>
}

/** Decides who may send to distribution lists, of any account. */
export class ListSenders {
  readonly #parts: ListSendersParts

  constructor(parts: ListSendersParts) {
    this.#parts = parts
  }

  /** Returns the decision, which is also kept; undefined if the recipient isn't a distribution list. */
  async decide(
    raw: Arrival & { readonly authentication: SenderAuthentication | null },
  ): Promise<Decision | undefined> {
    const { sender, recipient, clientAddress, queueId } = cleanArrival(raw)
    // few recipients are lists, and who gets the mail is often known already
    const addressed = await this.#parts.recipients.find(recipient)
    if (addressed?.kind !== 'group') return undefined
    const list = await findList(this.#parts.db, recipient, sender)
    if (list === undefined) return undefined
    const { authentication } = raw
    const decision = listAccess({ ...list.facts, sender, authentication }, list.settings)
    this.#parts.decisions.record('list', decision, {
      direction: 'in',
      account: { walletId: list.walletId, kind: 'group', id: list.id },
      ...{ sender, recipient, clientAddress, queueId, messageId: null },
      ownDomains: list.ownDomains,
    })
    return decision
  }
}
