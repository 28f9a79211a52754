import type { Arrival } from '../arrival.ts'
import type { Decision } from '../decision.ts'
import type { Policy } from '../decisions/decision-store.ts'
import type { Timers } from '../protocols/connections/timers.ts'
import type { PolicyAnswer } from '../protocols/policy/policy-answer.ts'
import type { PolicyRequest } from '../protocols/policy/policy-request.ts'
import type { MessageRecipients } from './message-recipients.ts'
import { type PolicyGuard, PolicyUnavailable, refusalOf, unavailable } from './policy-answers.ts'
import type { GatewayPolicies } from './services.ts'

export interface RecipientPolicyParts {
  readonly policies: GatewayPolicies
  readonly guard: PolicyGuard
  readonly recipients: MessageRecipients
  /** A milter asks again about lists when DKIM is known. */
  readonly hasMilter: boolean
  readonly timers: Timers
  /** Milliseconds that an answer may be delayed at most: the mail server gives up later. */
  readonly longestDelay: number
}

/** Answers that are delayed at once. Each keeps a process of the mail server busy, so more aren't delayed. */
const mostDelayed = 50

const dunno: PolicyAnswer = { action: 'dunno' }

/**
 * Answers Postfix's `check_policy_service`. Mail of users who signed in is outgoing, all other mail comes in. Of several
 * reasons to refuse a recipient, the sender learns a final one before a temporary one.
 */
export class RecipientPolicy {
  readonly #parts: RecipientPolicyParts
  #delayed = 0

  constructor(parts: RecipientPolicyParts) {
    this.#parts = parts
  }

  async answer(request: PolicyRequest, signal?: AbortSignal): Promise<PolicyAnswer> {
    try {
      if (request.saslUsername !== '') return await this.#outgoing(request, signal)
      return request.state === 'RCPT' ? await this.#incoming(arrivalOf(request)) : dunno
    } catch (error) {
      if (error instanceof PolicyUnavailable) return unavailable
      throw error
    }
  }

  /** The answer if there's no time to ask. */
  fallback({ saslUsername, state }: PolicyRequest): PolicyAnswer {
    const asked: readonly Policy[] =
      saslUsername !== '' ? [state === 'RCPT' ? 'submission' : 'rate'] : ['sender', 'list', 'greylist']
    return this.#parts.guard.isOpen(...asked) ? dunno : unavailable
  }

  async #incoming(arrival: Arrival): Promise<PolicyAnswer> {
    const { policies, guard, hasMilter } = this.#parts
    const judged = await guard.ask('sender', () => policies.spf.judge(arrival))
    const { decision: spf, proof = noProof } = judged ?? {}
    const refused = spf && refusalOf(spf)
    if (refused !== undefined) return refused
    const list = await guard.ask('list', () => policies.lists.decide({ ...arrival, ...proof }))
    // only the whole message shows whether DKIM proves its sender
    const isUndecided = hasMilter && list?.reason === 'list.unverified-sender'
    const closed = list === undefined || isUndecided ? undefined : refusalOf(list)
    if (closed !== undefined) return closed
    const greylist = await guard.ask('greylist', () => policies.greylist.decide({ ...arrival, ...proof }))
    const delayed = greylist && refusalOf(greylist)
    return delayed ?? withHeader(spf, greylist)
  }

  async #outgoing(request: PolicyRequest, signal?: AbortSignal): Promise<PolicyAnswer> {
    const { policies, guard, recipients } = this.#parts
    const { state, saslUsername: user, sender, clientAddress } = request
    const message = { user, sender, clientAddress, queueId: request.queueId || null }
    if (state === 'RCPT') {
      const { submission } = policies
      const decision =
        submission && (await guard.ask('submission', () => submission.decide({ ...message, authors: null })))
      const refused = decision && refusalOf(decision)
      if (refused === undefined) recipients.add(request.instance, request.recipient)
      return refused ?? dunno
    }
    const { rate } = policies
    if (state !== 'DATA' || rate === undefined) return dunno
    const all = recipients.take(request.instance, request.recipientCount)
    const decision = await guard.ask('rate', () =>
      rate.decide({ ...message, recipients: all, messageId: null }),
    )
    if (decision?.reason === 'rate.slowed') await this.#delay(Number(decision.facts.delay) * 1000, signal)
    return (decision && refusalOf(decision)) ?? dunno
  }

  /** Waits before an answer; other requests are answered meanwhile. Ends when the client is gone. */
  async #delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const { timers, longestDelay } = this.#parts
    if (this.#delayed >= mostDelayed || signal?.aborted === true) return
    this.#delayed++
    await new Promise<void>((resolve) => {
      const cancel = timers.after(Math.min(milliseconds, longestDelay), resolve)
      signal?.addEventListener('abort', () => {
        cancel()
        resolve()
      })
    })
    this.#delayed--
  }
}

const noProof = { authentication: null, spfFailed: false } as const

/** Postfix takes one field for each answer; what SPF says matters to more programs. */
function withHeader(...decisions: readonly (Decision | undefined)[]): PolicyAnswer {
  const [header] = decisions.flatMap((decision) => decision?.headers ?? [])
  return header === undefined ? dunno : { action: 'prepend', header }
}

function arrivalOf(request: PolicyRequest): Arrival {
  const { clientAddress, clientName, heloName, sender, recipient, queueId } = request
  return {
    ...{ clientAddress, helo: heloName, sender, recipient },
    // Postfix's name for clients whose address doesn't confirm any
    clientName: clientName === '' || clientName === 'unknown' ? null : clientName,
    queueId: queueId === '' ? null : queueId,
  }
}
