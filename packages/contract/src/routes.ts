import { oneOffRoutes } from './billing/one-offs.ts'
import { paymentRoutes } from './billing/payments.ts'
import { priceChangeRoutes } from './billing/price-changes.ts'
import { receiptRoutes } from './billing/receipts.ts'
import { referralRoutes } from './billing/referrals.ts'
import { subscriptionRoutes } from './billing/subscriptions.ts'
import { walletRoutes } from './billing/wallets.ts'
import { contentRoutes } from './content.ts'
import { bulkRoutes } from './directory/bulk.ts'
import { controllerRoutes } from './directory/controllers.ts'
import { dataExportRoutes } from './directory/data-exports.ts'
import { delegationRoutes } from './directory/delegation.ts'
import { deletedAddressRoutes } from './directory/deleted-addresses.ts'
import { domainRoutes } from './directory/domains.ts'
import { folderRoutes } from './directory/folders.ts'
import { groupRoutes } from './directory/groups.ts'
import { peopleRoutes } from './directory/people.ts'
import { planRoutes } from './directory/plans.ts'
import { resourceRoutes } from './directory/resources.ts'
import { userRoutes } from './directory/users.ts'
import { eventRoutes } from './events.ts'
import { fileRoutes } from './files/files.ts'
import { invitationRoutes } from './invitations.ts'
import { addressBookRoutes } from './mail/address-book.ts'
import { bookingRequestRoutes } from './mail/booking-requests.ts'
import { deletedMailRoutes } from './mail/deleted-mail.ts'
import { deviceSetupRoutes } from './mail/device-setup.ts'
import { mailActRoutes } from './mail/mail-acts.ts'
import { mailFilterRoutes } from './mail/mail-filters.ts'
import { mailImportRoutes } from './mail/mail-import.ts'
import { mailTraceRoutes } from './mail/mail-trace.ts'
import { roomRoutes } from './meetings/rooms.ts'
import { overviewRoutes } from './overview.ts'
import { policyRoutes } from './policies.ts'
import type { Call } from './route.ts'
import { searchRoutes } from './search.ts'
import { apiKeyRoutes } from './sessions/api-keys.ts'
import { appPasswordRoutes } from './sessions/app-passwords.ts'
import { companionRoutes } from './sessions/companions.ts'
import { factorRoutes } from './sessions/factors.ts'
import { oauthRoutes } from './sessions/oauth.ts'
import { ownSessionRoutes } from './sessions/own-sessions.ts'
import { passwordRoutes } from './sessions/passwords.ts'
import { sessionRoutes } from './sessions/sessions.ts'
import { signupRoutes } from './signup.ts'
import { operationRoutes } from './staff/operations.ts'
import { staffRoutes } from './staff/staff.ts'
import { staffCreationRoutes } from './staff/staff-creation.ts'
import { staffSubscriptionRoutes } from './staff/staff-subscriptions.ts'
import { statsRoutes } from './staff/stats.ts'
import { tenantCatalogueRoutes } from './staff/tenant-catalogue.ts'
import { tenantSignUpRoutes } from './staff/tenant-sign-up.ts'
import { tenantRoutes } from './staff/tenants.ts'
import { webhookRoutes } from './webhooks/webhooks.ts'

/**
 * Every API call by `METHOD /path/{parameter}`. If a path is a different call on the staff hosts, that call's
 * key ends with ` @staff`.
 */
export const routes = {
  ...sessionRoutes,
  ...factorRoutes,
  ...companionRoutes,
  ...signupRoutes,
  ...passwordRoutes,
  ...userRoutes,
  ...subscriptionRoutes,
  ...walletRoutes,
  ...receiptRoutes,
  ...paymentRoutes,
  ...referralRoutes,
  ...policyRoutes,
  ...controllerRoutes,
  ...delegationRoutes,
  ...deletedAddressRoutes,
  ...domainRoutes,
  ...groupRoutes,
  ...resourceRoutes,
  ...folderRoutes,
  ...fileRoutes,
  ...roomRoutes,
  ...bulkRoutes,
  ...dataExportRoutes,
  ...peopleRoutes,
  ...planRoutes,
  ...eventRoutes,
  ...deviceSetupRoutes,
  ...mailActRoutes,
  ...bookingRequestRoutes,
  ...mailFilterRoutes,
  ...mailImportRoutes,
  ...deletedMailRoutes,
  ...mailTraceRoutes,
  ...searchRoutes,
  ...addressBookRoutes,
  ...overviewRoutes,
  ...staffRoutes,
  ...staffCreationRoutes,
  ...staffSubscriptionRoutes,
  ...oneOffRoutes,
  ...priceChangeRoutes,
  ...statsRoutes,
  ...invitationRoutes,
  ...tenantRoutes,
  ...tenantCatalogueRoutes,
  ...tenantSignUpRoutes,
  ...appPasswordRoutes,
  ...apiKeyRoutes,
  ...webhookRoutes,
  ...ownSessionRoutes,
  ...operationRoutes,
  ...oauthRoutes,
  ...contentRoutes,
}

export type RouteKey = keyof typeof routes

/** Parameters, query, body and response of each call; import only this type if bundle size matters. */
export type Routes = { [K in RouteKey]: Call<(typeof routes)[K]> }
