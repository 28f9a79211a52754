import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { decide } from '../decision.ts'
import type { DecisionContext, DecisionLog } from '../decisions/decision-log.ts'
import type { RecipientLookup } from '../recipients/recipient-lookup.ts'
import { domainAccount } from './log-store.ts'
import type { LoggedRefusal } from './refusal-line.ts'

export interface LoggedRefusalsParts {
  readonly db: Db
  readonly clock: Clock
  readonly decisions: Pick<DecisionLog, 'record'>
  readonly recipients: Pick<RecipientLookup, 'find'>
}

/** Refusals that are kept in an hour: for one recipient, and in all. Later ones aren't kept. */
const mostOfRecipient = 20
const mostOfHour = 2000

/**
 * Keeps what the mail server refused on its own before there was a message, such as mail to a misspelt address. Each sender
 * and recipient is kept once in an hour, so that a flood of refused mail doesn't fill the log.
 */
export class LoggedRefusals {
  readonly #parts: LoggedRefusalsParts
  #hour = 0
  #kept = new Set<string>()
  #ofRecipient = new Map<string, number>()

  constructor(parts: LoggedRefusalsParts) {
    this.#parts = parts
  }

  /** Keeps refusals of the last hour. Throws if the database is away; those before the error are kept. */
  async record(refusals: readonly LoggedRefusal[]): Promise<void> {
    const oldest = after(this.#parts.clock.now(), -hour)
    for (const refusal of refusals) {
      if (refusal.loggedAt < oldest || !this.#hasRoom(refusal)) continue
      const domain = refusal.recipient.slice(refusal.recipient.lastIndexOf('@') + 1)
      const account = await this.#account(refusal.recipient, domain)
      // relaying for strangers is refused all the time, and concerns nobody here
      if (account === undefined) continue
      this.#keep(refusal, domain, account)
    }
  }

  async #account(recipient: string, domain: string): Promise<DecisionContext['account'] | undefined> {
    const { db, recipients } = this.#parts
    return (await recipients.find(recipient)) ?? (await domainAccount(db, domain))
  }

  #hasRoom({ sender, recipient }: LoggedRefusal): boolean {
    const now = Math.floor(this.#parts.clock.now().getTime() / (hour * 1000))
    if (now !== this.#hour) {
      this.#hour = now
      this.#kept = new Set()
      this.#ofRecipient = new Map()
    }
    const ofRecipient = this.#ofRecipient.get(recipient) ?? 0
    return (
      this.#kept.size < mostOfHour &&
      ofRecipient < mostOfRecipient &&
      !this.#kept.has(`${sender} ${recipient}`)
    )
  }

  #keep(refusal: LoggedRefusal, domain: string, account: DecisionContext['account']): void {
    const { sender, recipient, clientAddress, queueId, code, status, text } = refusal
    this.#kept.add(`${sender} ${recipient}`)
    this.#ofRecipient.set(recipient, (this.#ofRecipient.get(recipient) ?? 0) + 1)
    const reason = code < 500 ? 'server.deferred' : 'server.refused'
    this.#parts.decisions.record('server', decide(reason, { response: `${code} ${status} ${text}` }), {
      ...{ direction: 'in', account, sender, recipient, clientAddress, queueId },
      ...{ messageId: null, ownDomains: [domain] },
    })
  }
}
