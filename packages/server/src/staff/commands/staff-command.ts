import type { BillingConfig } from '../../billing/billing-settings.ts'
import type { WithHasher } from '../../passwords/hasher.ts'
import type { Command, CommandContext } from '../../platform/cli/command.ts'
import { silent } from '../../platform/cli/silent.ts'
import { Jobs } from '../../platform/jobs/jobs.ts'
import type { IdentityConfig } from '../../sessions/plugin.ts'
import { Tokens } from '../../sessions/tokens/tokens.ts'
import type { AddressConfig } from '../../tenants/tenant-address.ts'
import { Retention } from '../../users/retention.ts'
import type { StaffSettings } from '../staff-settings.ts'

export type StaffConfig = IdentityConfig & BillingConfig & StaffSettings & AddressConfig

/** A command that does what staff do in the cockpit. */
export type StaffCommand = Command<StaffConfig, WithHasher>

/** The context of such a command. */
export type StaffContext = CommandContext<StaffConfig>

/** What staff actions need, without a server. */
export function staffParts({ config, database, db, clock }: StaffContext) {
  const life = { access: config.OAUTH_TOKEN_EXPIRY, refresh: config.OAUTH_REFRESH_TOKEN_EXPIRY }
  return {
    config,
    db,
    clock,
    tokens: new Tokens(db, database.pool, clock, life),
    retention: new Retention(clock, config.RETENTION_DAYS),
    jobs: new Jobs(database.pool, silent),
  }
}
