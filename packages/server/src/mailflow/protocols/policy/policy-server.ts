import type { Failure } from '../connections/consultation.ts'
import { ProtocolServer, type ServerOptions } from '../connections/protocol-server.ts'
import { askWithin, requestReply } from '../connections/session.ts'
import { encodePolicyAnswer, type PolicyAnswer } from './policy-answer.ts'
import { PolicyDecoder, type PolicyLimits, type PolicyRequest } from './policy-request.ts'

export interface PolicyService {
  /** Name in metrics. */
  readonly name: string
  readonly handler: (request: PolicyRequest, signal: AbortSignal) => Promise<PolicyAnswer>
  /** The answer without the handler: `dunno` to fail open, a 4xx reply to fail closed. */
  readonly fallback: (request: PolicyRequest, failure: Failure) => PolicyAnswer
  readonly limits?: PolicyLimits
}

/** Requests of one connection at once. Postfix sends one after the other. */
const inFlight = 4

/**
 * A server for Postfix's `check_policy_service`. After a protocol violation the connection is closed without a reply, as the
 * protocol demands, and Postfix applies `smtpd_policy_service_default_action`.
 */
export function createPolicyServer(
  service: PolicyService,
  options?: ServerOptions,
): ProtocolServer<PolicyRequest> {
  const { name, handler, fallback, limits } = service
  const protocol = requestReply<PolicyRequest>({
    name,
    inFlight,
    decoder: () => new PolicyDecoder(limits),
    async answer(request, scope) {
      const ask = async (signal: AbortSignal) => encodePolicyAnswer(await handler(request, signal))
      const bytes = await askWithin(scope, labelOf(request), ask, (failure) =>
        encodePolicyAnswer(fallback(request, failure)),
      )
      return { bytes: [bytes] }
    },
  })
  return new ProtocolServer(protocol, options)
}

const states = new Set(['CONNECT', 'EHLO', 'HELO', 'MAIL', 'RCPT', 'DATA', 'END-OF-MESSAGE', 'VRFY', 'ETRN'])

/** The state in lower case; from a fixed set, because it is a label of metrics. */
function labelOf({ state }: PolicyRequest): string {
  return states.has(state) ? state.toLowerCase() : 'other'
}
