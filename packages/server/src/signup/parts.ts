import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import type { signupRoutes } from '@gatehouse/contract/signup'
import type { z } from 'zod'
import type { NewAccountMandates } from '../billing/auto-payment/new-account-mandate.ts'
import type { BillingConfig } from '../billing/billing-settings.ts'
import { PaymentsNotOffered } from '../billing/payments/providers/providers.ts'
import type { Hasher } from '../passwords/hasher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Locator } from '../platform/location.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { TokenPair } from '../sessions/tokens/token-facts.ts'
import type { Tokens } from '../sessions/tokens/tokens.ts'
import type { Plan } from '../subscriptions/plan-store.ts'
import type { PasswordPolicy } from '../users/settings/password-policy.ts'
import type { SignupCodes } from './signup-code.ts'
import type { SignupSettings } from './signup-settings.ts'

export interface SignupParts {
  readonly config: SiteConfig & FeatureSettings & HostingConfig & BillingConfig & SignupSettings
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly log: Log
  readonly metrics: Metrics
  readonly hasher: Hasher
  readonly throttle: Throttle
  readonly tokens: Tokens
  readonly locator: Locator
  readonly codes: SignupCodes
  readonly systemPolicy: PasswordPolicy
  /** Auto-payment of accounts in mandate mode. */
  readonly mandates: NewAccountMandates
  /** The tenant of the sign-up: that of the host or of the invitation. */
  readonly tenantId: number
  /** Returns the tenant that verified the request's host; the service itself for any other host. */
  readonly tenantAt: (request: Pick<RequestFacts, 'variant' | 'hostname'>) => Promise<number>
  /** Currency of new wallets, ISO 4217. */
  readonly currency: string
  readonly answer: (userId: number, tokens: TokenPair, request: RequestFacts) => Promise<SessionResponse>
}

/**
 * Rejects a plan that is paid at sign-up if no payments are accepted, even with a voucher for the full price:
 * the account would be locked once the voucher is removed. Throws PaymentsNotOffered (403).
 */
export function requirePayable({ mandates }: Pick<SignupParts, 'mandates'>, plan: Plan | undefined): void {
  if (plan !== undefined && !isPayable({ mandates }, plan)) throw new PaymentsNotOffered()
}

/** Whether the plan can be paid for, if it needs payment. */
export function isPayable({ mandates }: Pick<SignupParts, 'mandates'>, plan: Plan): boolean {
  return plan.mode !== 'mandate' || mandates.isOffered
}

/** Input of the last step. */
export type AccountInput = z.output<(typeof signupRoutes)['POST /api/auth/signup']['body']>
