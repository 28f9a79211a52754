import { ProtocolServer, type ServerOptions } from '../connections/protocol-server.ts'
import type { Scope } from '../connections/session.ts'
import type { MilterCommand } from './commands.ts'
import type { MilterService } from './milter-handler.ts'
import { MilterSession } from './milter-session.ts'

/**
 * Milliseconds. Postfix sends nothing between `DATA` and the headers while the SMTP client transmits the message, so this is
 * libmilter's default of 2 hours. TCP keep-alive detects dead connections.
 */
const idle = 7_200_000

/** A server for `smtpd_milters` of Postfix. */
export function createMilterServer(
  service: MilterService,
  options: ServerOptions = {},
): ProtocolServer<MilterCommand> {
  const protocol = {
    name: service.name,
    // each command depends on those before it
    inFlight: 1,
    open: (scope: Scope) => new MilterSession(service, scope),
  }
  return new ProtocolServer(protocol, { ...options, limits: { idle, ...options.limits } })
}
