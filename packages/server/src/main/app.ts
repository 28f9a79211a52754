import type { FastifyInstance } from 'fastify'
import type { NewAccountMandates } from '../billing/auto-payment/new-account-mandate.ts'
import type { AutoPaymentParts } from '../billing/auto-payment/parts.ts'
import type { Payments } from '../billing/payments/compose-payments.ts'
import type { FileStorage } from '../files/storage/file-storage.ts'
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
import type { Secrets } from '../platform/secrets.ts'
import type { GroupwareBackend } from '../provisioning/backend.ts'
import type { CompanionWatch } from '../sessions/companions/companion-watch.ts'
import type { SignInLog } from '../sessions/sign-in/sign-in-log.ts'
import type { Config } from './settings/config.ts'

/** Where the parts of an installation lie on disk. */
export interface Folders {
  /** Themes, each a folder. */
  readonly themes: string
  /** The built web application; absent: the API alone, as tests use it. */
  readonly web?: string
}

export interface AppOptions {
  readonly config: Config
  /** Address of a database that `prepareDatabase` has made ready. */
  readonly databaseUrl: string
  readonly folders: Folders
  readonly clock?: Clock
  readonly backend?: GroupwareBackend
  /** Hashes passwords at another cost; for tests. */
  readonly hasher?: Hasher
  /** Auto-payment of new accounts; for tests. */
  readonly mandates?: NewAccountMandates
  /** Holds every answer against the contract; for tests. */
  readonly checkAnswers?: boolean
  /** Takes the log instead of the standard output; for tests. */
  readonly logTo?: LogTarget
}

/** A composed server: not yet listening, not yet working on jobs. */
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
  readonly autoPayment: AutoPaymentParts
  readonly watch: CompanionWatch
  /** Counts what is refused; settled, it has written everything down. */
  readonly events: EventCounter
  readonly signIns: SignInLog
  readonly oauth: OpenIdProvider
  readonly files: FileStorage
  readonly meetings: Meetings
  /** Finishes requests and jobs that run, then lets go of everything. */
  close(): Promise<void>
}
