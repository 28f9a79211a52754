import { z } from 'zod'
import type { Decision } from '../decision.ts'
import { actionOf, replyOf } from '../reasons.ts'

/** Fields of a policy call (POST /api/webhooks/policy/…), as a form or as JSON. */
export const policyFields = z.object({
  sender: z.string().max(1000),
  /** Name of the user who signed in; only calls of `submission` have it. */
  user: z.string().max(1000).default(''),
  recipients: z.array(z.string().max(1000)).max(50_000),
})

export type PolicyFields = z.infer<typeof policyFields>

/**
 * Reads a form. Recipients may be given as `recipients` or `recipients[]`, once for each of them; undefined if a field is
 * missing or too long. Of other fields that are repeated the first one counts.
 */
export function readPolicyForm(text: string): PolicyFields | undefined {
  const form = new URLSearchParams(text)
  return readPolicyFields({
    sender: form.get('sender') ?? undefined,
    user: form.get('user') ?? undefined,
    recipients: [...form.getAll('recipients'), ...form.getAll('recipients[]')],
  })
}

/** Reads the fields of a JSON object, where one recipient may stand alone; undefined if a field is missing or wrong. */
export function readPolicyFields(sent: unknown): PolicyFields | undefined {
  const given = z.looseObject({ recipients: z.unknown().optional() }).safeParse(sent)
  if (!given.success) return undefined
  const { recipients } = given.data
  const list = typeof recipients === 'string' ? [recipients] : recipients
  const parsed = policyFields.safeParse({ ...given.data, recipients: list ?? [] })
  return parsed.success ? parsed.data : undefined
}

export interface PolicyAnswer {
  readonly status: 200 | 403
  readonly body: {
    readonly response: 'DUNNO' | 'HOLD' | 'REJECT' | 'DEFER_IF_PERMIT'
    readonly reason?: string
    /** Lines for the mail server's log. */
    readonly log?: readonly string[]
    readonly prepend?: readonly string[]
  }
}

const responses = {
  accept: 'DUNNO',
  discard: 'DUNNO',
  hold: 'HOLD',
  reject: 'REJECT',
  defer: 'DEFER_IF_PERMIT',
} as const

/** The answer for a decision. Calls that can't be read or decided are deferred. */
export function policyAnswer(decision: Decision | undefined): PolicyAnswer {
  if (decision === undefined) {
    return {
      status: 403,
      body: { response: 'DEFER_IF_PERMIT', reason: 'Temporary error. Please try again later.' },
    }
  }
  const response = responses[actionOf(decision.reason)]
  const reason = replyOf(decision.reason)
  return {
    status: response === 'DUNNO' ? 200 : 403,
    body: { response, ...(reason && { reason }), ...(decision.headers && { prepend: decision.headers }) },
  }
}
