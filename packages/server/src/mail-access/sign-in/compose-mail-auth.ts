import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Hasher } from '../../passwords/hasher.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { ServiceSettings } from '../../platform/http/callers/service-settings.ts'
import type { Locator } from '../../platform/location.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { ProgramConfirmation } from '../../sessions/companions/confirm-program.ts'
import type { GateParts } from '../../sessions/companions/sign-in-gate.ts'
import type { SignInLog } from '../../sessions/sign-in/sign-in-log.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import type { AppPasswordHasher } from '../app-passwords/secret.ts'
import { Backends } from './backends.ts'
import { Guesses } from './guesses.ts'
import { SaslauthdSocket } from './hooks/saslauthd-socket.ts'
import { KnownSecrets } from './known-secrets.ts'
import type { MailAuthSettings } from './mail-auth-settings.ts'
import { MailSignIn, type MailTokens } from './mail-sign-in.ts'
import { Outcomes } from './outcomes.ts'
import { serveMailAuth } from './routes.ts'

export interface MailAuthInputs {
  readonly config: SiteConfig & ServiceSettings & MailAuthSettings & FeatureSettings
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
  readonly metrics: Metrics
  readonly log: Log
  readonly db: Db
  readonly clock: Clock
  readonly hasher: Hasher
  readonly throttle: Throttle
  readonly locator: Locator
  readonly appPasswords: AppPasswordHasher
  readonly tokens: MailTokens
  readonly secondFactorRules: SecondFactorRules
  readonly gate: GateParts
  readonly signIns: SignInLog
}

/** Mail authentication, for other protocols of the room. */
export interface MailAuth {
  readonly mail: MailSignIn
  readonly outcomes: Outcomes
  /** The socket, if configured: the server opens it when it listens, and another process can as well. */
  readonly saslauthd: SaslauthdSocket | undefined
}

/** Creates mail authentication and serves it over HTTP and, if configured, on a UNIX socket. */
export function mountMailAuth(inputs: MailAuthInputs): MailAuth {
  const { config, fastify, facts, metrics, log, clock, gate, throttle } = inputs
  const mail = new MailSignIn({
    ...inputs,
    companions: new ProgramConfirmation(gate, config.MAIL_CONFIRM_WAIT),
    guesses: new Guesses(throttle, clock),
    known: new KnownSecrets(clock),
  })
  const outcomes = new Outcomes(metrics, log)
  serveMailAuth({ config, fastify, facts, mail, outcomes, backends: new Backends(config, clock) })
  const path = config.SASLAUTHD_SOCKET
  if (path === undefined) return { mail, outcomes, saslauthd: undefined }
  const socket = new SaslauthdSocket({ mail, outcomes, log }, path)
  fastify.addHook('onListen', () => socket.start())
  fastify.addHook('preClose', () => socket.stop())
  return { mail, outcomes, saslauthd: socket }
}
