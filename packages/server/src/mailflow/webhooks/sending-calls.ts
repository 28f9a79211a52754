import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { policyAnswer, readPolicyFields } from '../rate-limit/policy-request.ts'
import type { RateCheck } from '../rate-limit/rate-check.ts'
import { actionOf } from '../reasons.ts'
import type { SubmissionCheck } from '../submission/submission-check.ts'
import { type PolicyInput, servePolicyCall } from './policy-call.ts'

export interface SendingPolicies {
  readonly rate: RateCheck
  readonly submission: SubmissionCheck
}

/** Fields that Postfix knows beyond those of the reference. */
const optional = z.string().min(1).max(1000).nullable().catch(null)
const origin = z.object({ queue_id: optional, message_id: optional, client_address: optional })

/** Serves the calls about outgoing mail; api-meet-files-mail §3.3 and §3.4. */
export function serveSendingCalls(fastify: FastifyInstance, { rate, submission }: SendingPolicies): void {
  servePolicyCall(fastify, 'ratelimit', async (input) => {
    const fields = readPolicyFields(input)
    if (fields === undefined) return undefined
    const { sender, recipients } = fields
    return policyAnswer(await rate.decide({ user: null, sender, recipients, ...originOf(input) }))
  })
  servePolicyCall(fastify, 'submission', async (input) => {
    const fields = readPolicyFields(input)
    if (fields === undefined) return undefined
    const { user, sender, recipients } = fields
    const from = originOf(input)
    const decision = await submission.decide({ user, sender, authors: null, ...from })
    if (actionOf(decision.reason) !== 'accept') return policyAnswer(decision)
    const limited = await rate.decide({ user, sender, recipients, ...from })
    return policyAnswer(actionOf(limited.reason) === 'accept' ? decision : limited)
  })
}

function originOf(input: PolicyInput) {
  const fields = origin.parse(input)
  return { queueId: fields.queue_id, messageId: fields.message_id, clientAddress: fields.client_address }
}
