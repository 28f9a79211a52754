import type { BillingConfig } from '../billing/billing-settings.ts'
import { tellCeiling } from '../billing/life-cycle/ceiling-notice.ts'
import type { MeetSettings } from '../meetings/meet-settings.ts'
import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { batchWork } from './bulk-work.ts'
import { planWork } from './desired-state/apply-plan.ts'
import { servePlans } from './desired-state/plan-routes.ts'
import { serveExports } from './export-routes.ts'
import { handleInvitationMails } from './import/invitation-mail.ts'
import { serveImports } from './import-routes.ts'
import { allActs, allImporters } from './kinds.ts'
import { servePeople } from './people/people-routes.ts'
import { PurgeBatches } from './purge-batches.ts'
import { serveBulk } from './routes.ts'
import { handleBatches } from './work-batch.ts'

/** Adds bulk actions, imports and exports. */
export function addBulk(
  ground: Ground<IdentityConfig & BillingConfig & MeetSettings>,
  identity: Identity,
): void {
  const { api, config, db, clock, jobs, purge } = ground
  const parts = { ...ground, ...identity }
  const acts = allActs(parts)
  const importers = allImporters(parts)
  const billing = { db, clock, jobs, withLdap: config.APP_LDAP }
  handleBatches({
    ...ground,
    workOf: batchWork(acts, importers),
    whole: planWork(parts),
    onCeiling: (trx, refusal) => tellCeiling(trx, billing, refusal),
  })
  handleInvitationMails(jobs, parts)
  serveBulk(api, { ...parts, acts })
  serveExports(api, parts)
  serveImports(api, { ...parts, acts, importers })
  servePeople(api, { ...parts, acts })
  servePlans(api, parts)
  purge.add(new PurgeBatches(db, clock))
}
