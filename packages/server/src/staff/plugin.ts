import type { BillingConfig } from '../billing/billing-settings.ts'
import type { DirectoryParts } from '../directory/directory-parts.ts'
import type { MailTrace } from '../mailflow/trace/mail-trace.ts'
import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { addressRules } from '../tenants/tenant-address.ts'
import { serveStaffApiKeys } from './api-key-routes.ts'
import { handleFirstPasswordMails } from './creation/first-password-mail.ts'
import { serveCreation } from './creation/routes.ts'
import { handleSignupInvitations } from './invitations/invitation-mail.ts'
import { serveInvitations } from './invitations/routes.ts'
import { serveStaffMail } from './mail-routes.ts'
import { serveStaffOwners } from './owners/routes.ts'
import { serveStaff } from './routes.ts'
import type { StaffSettings } from './staff-settings.ts'
import { measureBusiness } from './statistics/business-numbers.ts'
import { handleStats } from './statistics/daily-stats.ts'
import { serveStats } from './statistics/routes.ts'
import { serveStaffSubscriptions } from './subscriptions/routes.ts'
import { serveTenantOffer } from './tenant-offer/routes.ts'
import { serveTenants } from './tenants/routes.ts'

type Config = IdentityConfig & BillingConfig & StaffSettings & Parameters<typeof addressRules>[0]

/** What the cockpits show of other rooms. */
interface Above extends Pick<DirectoryParts, 'domainKeys'> {
  readonly themes: Iterable<string>
  readonly takesPayments: boolean
  readonly trace: MailTrace
}

/** The cockpits of staff and resellers. */
export function addStaff(
  ground: Ground<Config>,
  identity: Identity,
  { themes, takesPayments, domainKeys, trace }: Above,
): void {
  const { api, config, db, clock, jobs, post, metrics } = ground
  const { codes } = identity
  handleStats(jobs, { db, clock })
  handleSignupInvitations(jobs, { db, clock, post })
  handleFirstPasswordMails(jobs, { db, codes, post })
  measureBusiness(metrics, { db, clock })
  const parts = { ...ground, ...identity, domainKeys }
  serveStaff(api, parts)
  serveCreation(api, parts)
  serveStaffSubscriptions(api, parts)
  serveStaffOwners(api, parts)
  serveStaffMail(api, { db, trace })
  serveStaffApiKeys(api, ground)
  serveStats(api, parts)
  serveInvitations(api, parts)
  serveTenantOffer(api, { ...parts, takesPayments })
  serveTenants(api, { ...parts, themes: [...themes], addressRules: addressRules(config) })
}
