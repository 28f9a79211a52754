import type { FastifyInstance } from 'fastify'
import type { NewAccountMandates } from '../billing/auto-payment/new-account-mandate.ts'
import type { AutoPaymentParts } from '../billing/auto-payment/parts.ts'
import type { Payments } from '../billing/payments/compose-payments.ts'
import type { FileStorage } from '../files/storage/file-storage.ts'
import type { OpenSessions } from '../mail-access/open-sessions/open-sessions.ts'
import type { SaslauthdSocket } from '../mail-access/sign-in/hooks/saslauthd-socket.ts'
import type { DecisionLog } from '../mailflow/decisions/decision-log.ts'
import type { MailGateway } from '../mailflow/gateway/mail-gateway.ts'
import type { RateCheck } from '../mailflow/rate-limit/rate-check.ts'
import type { Meetings } from '../meetings/compose-meetings.ts'
import type { OpenIdProvider } from '../oauth/library/provider.ts'
import type { Hasher } from '../passwords/hasher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { EventCounter } from '../platform/event-counter.ts'
import type { Api } from '../platform/http/api.ts'
import type { Drain } from '../platform/http/connections/drain.ts'
import type { LogTarget } from '../platform/http/server.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Mailer } from '../platform/mailer/mailer.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Tracer } from '../platform/tracing/tracer.ts'
import type { GroupwareBackend } from '../provisioning/backend.ts'
import type { CompanionWatch } from '../sessions/companions/companion-watch.ts'
import type { SignInLog } from '../sessions/sign-in/sign-in-log.ts'
import type { DeliveryWorker } from '../webhooks/delivery/delivery-worker.ts'
import type { Config } from './settings/config.ts'

/** Locations of an installation's parts on disk. */
export interface Folders {
  /** Folder of themes, with a subfolder for each. */
  readonly themes: string
  /** Folder of the built web application; absent: API only, as in tests. */
  readonly web?: string
}

export interface AppOptions {
  readonly config: Config
  /** URL of a database prepared by `prepareDatabase`. */
  readonly databaseUrl: string
  readonly folders: Folders
  /** False for a process that never handles the content of files, and may not have access to it. */
  readonly hasContent?: boolean
  readonly clock?: Clock
  readonly backend?: GroupwareBackend
  /** Overrides the cost of password hashing, for tests. */
  readonly hasher?: Hasher
  /** Auto-payment of new accounts, for tests. */
  readonly mandates?: NewAccountMandates
  /** Validates every response against the contract, for tests. */
  readonly checkAnswers?: boolean
  /** Replaces standard output as the log target, for tests. */
  readonly logTo?: LogTarget
  /** Records traces; absent: requests and jobs only have the ids of their traces. */
  readonly tracer?: Tracer
}

/** A composed server that doesn't listen or process jobs yet. */
export interface App extends AsyncDisposable {
  readonly fastify: FastifyInstance
  readonly drain: Drain
  readonly api: Api
  readonly database: Database
  readonly jobs: Jobs
  readonly mailer: Mailer
  readonly hasher: Hasher
  readonly secrets: Secrets
  readonly payments: Payments
  readonly decisions: DecisionLog
  readonly rate: RateCheck
  /** Doesn't listen until it's started. */
  readonly gateway: MailGateway
  /** Sign-in of mail servers over a UNIX socket; undefined: not configured. */
  readonly saslauthd: SaslauthdSocket | undefined
  /** Ends sessions with the mail store once it's started; undefined: not configured. */
  readonly openSessions: OpenSessions | undefined
  readonly autoPayment: AutoPaymentParts
  readonly watch: CompanionWatch
  /** Counts rejections. Everything is written once it has settled. */
  readonly events: EventCounter
  readonly metrics: Metrics
  readonly signIns: SignInLog
  readonly oauth: OpenIdProvider
  readonly files: FileStorage
  /** Delivers events to webhooks; does nothing until it is started. */
  readonly webhooks: DeliveryWorker
  readonly meetings: Meetings
  /** Finishes running requests and jobs, then releases all resources. */
  close(): Promise<void>
}
