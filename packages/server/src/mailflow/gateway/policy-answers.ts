import type { Log } from '../../platform/log.ts'
import type { Decision } from '../decision.ts'
import type { Policy } from '../decisions/decision-store.ts'
import type { PolicyAnswer } from '../protocols/policy/policy-answer.ts'
import { actionOf, replyOf } from '../reasons.ts'

/** The answer while a policy that must not be skipped can't decide. */
export const unavailable: PolicyAnswer = {
  action: 'reply',
  reply: '451 4.3.0 Mail policy unavailable, try again later',
}

/** What Postfix does for a decision; undefined if the mail is accepted. */
export function refusalOf({ reason }: Decision): PolicyAnswer | undefined {
  const action = actionOf(reason)
  const reply = replyOf(reason)
  if (action === 'accept') return undefined
  if (action === 'discard') return { action: 'discard', text: reason }
  if (reply === undefined) return unavailable
  if (action === 'hold') return { action: 'hold', text: withoutCodes(reply) }
  return { action: 'reply', reply }
}

/** The text of a reply with its short code, but without the codes of SMTP. */
export function withoutCodes(reply: string): string {
  return reply.replace(/^\d{3} \d\.\d+\.\d+ /, '')
}

/** Asks policies one by one, and knows which of them may be skipped. */
export class PolicyGuard {
  readonly #failOpen: ReadonlySet<Policy>
  readonly #log: Log

  constructor(failOpen: readonly Policy[], log: Log) {
    this.#failOpen = new Set(failOpen)
    this.#log = log
  }

  isOpen(...policies: readonly Policy[]): boolean {
    return policies.every((policy) => this.#failOpen.has(policy))
  }

  /** The result of a policy. If it fails: undefined if it may be skipped; otherwise the error. */
  async ask<T>(policy: Policy, decide: () => Promise<T>): Promise<T | undefined> {
    try {
      return await decide()
    } catch (error) {
      this.#log.error({ err: error, policy }, 'a mail policy failed')
      if (!this.isOpen(policy)) throw new PolicyUnavailable(policy, { cause: error })
      return undefined
    }
  }
}

/** A policy that must not be skipped can't decide. */
export class PolicyUnavailable extends Error {
  override name = 'PolicyUnavailable'
}
