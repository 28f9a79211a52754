import type { Calls } from './mail-services.ts'
import { servicesHost, servicesSecret } from './mail-services.ts'

type PolicyName = 'greylist' | 'spf' | 'ratelimit' | 'submission'

/** Fields of a policy call as a mail server sends them; lists are repeated. */
export type PolicyFields = Readonly<Record<string, string | readonly string[]>>

export interface PolicyReply {
  readonly status: number
  readonly response: string
  readonly reason?: string
}

/** Asks a policy with a form, like the scripts of mail servers. */
export async function askPolicy(
  { call }: Calls,
  policy: PolicyName,
  fields: PolicyFields,
): Promise<PolicyReply> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === 'string' ? [value] : value) form.append(name, one)
  }
  return askWith({ call }, policy, 'application/x-www-form-urlencoded', form.toString())
}

/** Asks a policy with any body. */
export async function askWith(
  { call }: Calls,
  policy: PolicyName,
  type: string,
  body: string,
): Promise<PolicyReply> {
  const { status, body: answer } = await call(`POST /api/webhooks/policy/${policy}`, {
    host: servicesHost,
    headers: { 'x-services-secret': servicesSecret, 'content-type': type },
    body,
  })
  // calls of a second process aren't parsed
  const parsed = typeof answer === 'string' ? JSON.parse(answer) : answer
  return { status, ...parsed }
}
