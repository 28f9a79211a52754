import { ProtocolServer, type ServerOptions } from '../connections/protocol-server.ts'
import { askWithin, requestReply } from '../connections/session.ts'
import { encodeSaslauthdAnswer, SaslauthdDecoder, type SaslauthdRequest } from './saslauthd-request.ts'

/** Whether the password is right. */
export type SaslauthdHandler = (request: SaslauthdRequest, signal: AbortSignal) => Promise<boolean>

/**
 * Replaces saslauthd for Cyrus and Postfix: one request per connection, answered by `OK` or `NO`. The answer is `NO` unless
 * the handler returns true in time. A password check never fails open.
 */
export function createSaslauthdServer(
  handler: SaslauthdHandler,
  options?: ServerOptions,
): ProtocolServer<SaslauthdRequest> {
  const protocol = requestReply<SaslauthdRequest>({
    name: 'saslauthd',
    inFlight: 1,
    decoder: () => new SaslauthdDecoder(),
    async answer(request, scope) {
      const ask = (signal: AbortSignal) => handler(request, signal)
      const isAccepted = await askWithin<boolean>(scope, 'sign-in', ask, () => false)
      // strict comparison: a truthy value must not open a mailbox
      return { bytes: [encodeSaslauthdAnswer(isAccepted === true)], isLast: true }
    },
    refusal: () => encodeSaslauthdAnswer(false),
  })
  return new ProtocolServer(protocol, options)
}
