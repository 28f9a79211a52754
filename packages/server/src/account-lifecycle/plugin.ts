import type { BillingConfig } from '../billing/billing-settings.ts'
import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { handleAccountDeletion } from './delete-user.ts'
import { handleAccountErasure } from './erase-account.ts'
import { ForgetDeleted } from './forget-deleted.ts'
import { serveLockdown } from './lockdown/routes.ts'
import { serveAccountLifecycle } from './routes.ts'

/** Deletes, restores, erases and locks down users and accounts. */
export function addAccountLifecycle(
  ground: Ground<IdentityConfig & BillingConfig>,
  identity: Identity,
): void {
  const { api, db, clock, jobs, purge } = ground
  const { retention, tokens } = identity
  handleAccountDeletion({ db, clock, jobs, tokens })
  handleAccountErasure({ db, clock, jobs })
  const parts = { ...ground, ...identity }
  serveLockdown(api, parts)
  serveAccountLifecycle(api, parts)
  purge.add(new ForgetDeleted(db, clock, retention))
}
