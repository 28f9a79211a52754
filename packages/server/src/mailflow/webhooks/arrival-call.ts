import { z } from 'zod'
import type { Arrival } from '../arrival.ts'
import type { Decision } from '../decision.ts'
import { clientNetwork } from '../greylist/client-network.ts'
import type { Greylisting } from '../greylist/greylisting.ts'
import { type PolicyAnswer, policyAnswer } from '../rate-limit/policy-request.ts'
import type { SpfPolicy } from '../sender-authentication/spf-policy.ts'
import type { PolicyHandler, PolicyInput } from './policy-call.ts'

/** Without control characters and halves of characters, which no mail server sends. */
const text = z
  .string()
  .max(1000)
  .refine((value) => !/[\p{Cc}\p{Cs}]/u.test(value))

/** Fields of a call about one recipient of a message; others, such as `timestamp`, are ignored. */
const arrivalFields = z.object({
  client_address: text.min(1),
  /** Name in HELO, or of the client, which has to be confirmed. */
  client_name: text.default(''),
  /** Empty: the null sender. */
  sender: text,
  recipient: text.min(1),
})

function readArrival(input: PolicyInput): Arrival | undefined {
  const { data } = arrivalFields.safeParse(input)
  if (data === undefined) return undefined
  const { client_address: clientAddress, client_name: helo, sender, recipient } = data
  return { clientAddress, clientName: null, helo, sender, recipient, queueId: null }
}

/** `POST /api/webhooks/policy/greylist`: senders that SPF proves aren't delayed. Malformed calls are deferred. */
export function greylistCall(greylisting: Greylisting, spf: SpfPolicy): PolicyHandler {
  return async (input) => {
    const arrival = readArrival(input)
    if (arrival === undefined) return undefined
    return policyAnswer(await greylisting.decide({ ...arrival, ...(await spf.prove(arrival)) }))
  }
}

/** `POST /api/webhooks/policy/spf`. Calls that can't be decided are deferred, with a line for the mail server's log. */
export function spfCall(spf: SpfPolicy): PolicyHandler {
  return async (input) => {
    const arrival = readArrival(input)
    if (arrival === undefined) return withMore({ log: ['SPF: fields are missing or malformed'] })
    if (clientNetwork(arrival.clientAddress) === undefined) {
      return withMore({ log: ['SPF: the client address is not an IP address'] })
    }
    const decision = await spf.decide(arrival)
    const isException = decision.reason === 'sender.spf-exception'
    return withMore(isException ? { reason: 'SPF failed, but the recipient accepts the host' } : {}, decision)
  }
}

function withMore(more: Partial<PolicyAnswer['body']>, decision?: Decision): PolicyAnswer {
  const { status, body } = policyAnswer(decision)
  return { status, body: { ...body, ...more } }
}
