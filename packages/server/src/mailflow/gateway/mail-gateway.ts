import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Tracer } from '../../platform/tracing/tracer.ts'
import type { HeldMailWorker } from '../held-mail/held-mail-worker.ts'
import type { LogFollower } from '../mail-log/log-follower.ts'
import { observeProtocols } from '../protocols/connections/observe-protocols.ts'
import type { ServerOptions } from '../protocols/connections/protocol-server.ts'
import { systemTimers } from '../protocols/connections/timers.ts'
import { createMilterServer } from '../protocols/milter/milter-server.ts'
import { createPolicyServer } from '../protocols/policy/policy-server.ts'
import { createSocketmapServer } from '../protocols/socketmap/socketmap-server.ts'
import { lookUp } from './address-maps.ts'
import { type GatewaySettings, readEndpoint } from './gateway-settings.ts'
import { type LmtpEndpoint, LmtpFilter, type LmtpFilterParts } from './lmtp/lmtp-filter.ts'
import { MailMilter, type MilterParts } from './mail-milter.ts'
import { MessageRecipients } from './message-recipients.ts'
import { PolicyGuard } from './policy-answers.ts'
import { RecipientPolicy } from './recipient-policy.ts'

export interface GatewayParts extends Omit<MilterParts, 'guard'> {
  readonly config: GatewaySettings
  readonly log: Log
  readonly metrics: Metrics
  readonly tracer: Tracer
  /** Reads what the mail server did; absent: nothing is known about deliveries. */
  readonly follower?: Pick<LogFollower, 'start' | 'stop'>
  readonly lmtpFilter: Pick<LmtpFilterParts, 'filter' | 'isOn' | 'mostBytes'>
  /** Carries out decisions about held mail; absent: operators do. */
  readonly heldMail?: Pick<HeldMailWorker, 'start' | 'stop'>
}

/** Ports on which the gateway listens; undefined: switched off. */
export interface GatewayPorts {
  readonly policy: number | undefined
  readonly milter: number | undefined
  readonly socketmap: number | undefined
  readonly lmtp: number | undefined
}

/** A server of any protocol: the gateway only opens and closes it. */
interface AnyServer {
  listen(endpoint: LmtpEndpoint): Promise<number>
  close(): Promise<void>
}

/** Everything that Postfix asks, on one port for each protocol. */
export class MailGateway {
  readonly #parts: GatewayParts
  readonly #guard: PolicyGuard
  readonly #options: ServerOptions
  readonly #servers: AnyServer[] = []

  constructor(parts: GatewayParts) {
    this.#parts = parts
    const { config, log, metrics, tracer } = parts
    this.#guard = new PolicyGuard(config.MAIL_GATEWAY_FAIL_OPEN, log)
    this.#options = {
      limits: { budget: config.MAIL_GATEWAY_BUDGET * 1000 },
      observer: {
        ...observeProtocols(metrics, tracer),
        onError: (error, protocol) => log.warn({ err: error, protocol }, 'a mail protocol failed'),
      },
    }
  }

  /** Listens. Throws if an address can't be used. */
  async start(): Promise<GatewayPorts> {
    const { config } = this.#parts
    try {
      const ports = {
        policy: await this.#listen(config.MAIL_GATEWAY_POLICY, () => this.#policyServer()),
        milter: await this.#listen(config.MAIL_GATEWAY_MILTER, () => this.#milterServer()),
        socketmap: await this.#listen(config.MAIL_GATEWAY_SOCKETMAP, () => this.#socketmapServer()),
        lmtp: await this.#listen(config.MAIL_GATEWAY_LMTP, () => this.#lmtpServer()),
      }
      this.#parts.follower?.start()
      this.#parts.heldMail?.start()
      return ports
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** Answers the requests in progress, then closes. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.close()))
    await this.#parts.follower?.stop()
    await this.#parts.heldMail?.stop()
  }

  async #listen(setting: string, create: () => AnyServer): Promise<number | undefined> {
    const endpoint = readEndpoint(setting)
    if (endpoint === undefined) return undefined
    const server = create()
    const port = await server.listen(endpoint)
    this.#servers.push(server)
    this.#parts.log.info({ host: endpoint.host, port }, 'mail gateway listens')
    return port
  }

  #policyServer() {
    const { config, policies, clock } = this.#parts
    const policy = new RecipientPolicy({
      ...{ policies, guard: this.#guard, recipients: new MessageRecipients(clock) },
      hasMilter: config.MAIL_GATEWAY_MILTER !== 'off',
      timers: systemTimers,
      // the other half is for the decision
      longestDelay: (config.MAIL_GATEWAY_BUDGET * 1000) / 2,
    })
    return createPolicyServer(
      {
        name: 'policy',
        handler: (request, signal) => policy.answer(request, signal),
        fallback: (request) => policy.fallback(request),
      },
      this.#options,
    )
  }

  #milterServer() {
    const handler = new MailMilter({ ...this.#parts, guard: this.#guard })
    return createMilterServer(
      {
        ...{ name: 'milter', handler, wantsBody: true, fallback: () => handler.fallback() },
        actions: ['add-headers', 'change-headers', 'quarantine'],
        limits: { messageBudget: this.#parts.config.MAIL_GATEWAY_BUDGET * 1000 },
      },
      this.#options,
    )
  }

  #socketmapServer() {
    return createSocketmapServer(
      { handler: ({ map, key }) => lookUp(this.#parts.db, map, key) },
      this.#options,
    )
  }

  #lmtpServer() {
    const { config, lmtpFilter, log } = this.#parts
    const store = readEndpoint(config.MAIL_GATEWAY_LMTP_STORE)
    if (store === undefined) throw new Error('MAIL_GATEWAY_LMTP_STORE is not set')
    return new LmtpFilter({ ...lmtpFilter, store, log })
  }
}
