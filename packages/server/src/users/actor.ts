import type { Config } from '../operator/settings/config.ts'
import type { Hasher } from '../passwords/hasher.ts'
import type { ResetCodes } from '../passwords/reset-code.ts'
import type { Actor } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/api.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Locator } from '../platform/location.ts'
import type { Tokens } from '../sessions/tokens/tokens.ts'
import type { PasswordPolicy } from './settings/password-policy.ts'

/** What creating, changing and deleting users needs. */
export interface UserParts {
  readonly config: Pick<Config, 'APP_NAME' | 'APP_WITH_SUBSCRIPTIONS'>
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly hasher: Hasher
  readonly tokens: Tokens
  readonly locator: Locator
  readonly codes: ResetCodes
  readonly systemPolicy: PasswordPolicy
}

/** Who changes something, as the record of changes keeps it. */
export function actorOf(principal: Principal, request: Pick<RequestFacts, 'ip'>): Actor {
  const { userId, email, impersonation } = principal
  const staff = impersonation && { userId: impersonation.staffId, email: impersonation.staffEmail }
  return { userId, email, ip: request.ip, ...(staff && { staff }) }
}
