import { appPasswordRoutes } from './app-passwords.ts'
import { bulkRoutes } from './bulk.ts'
import { companionRoutes } from './companions.ts'
import { contentRoutes } from './content.ts'
import { controllerRoutes } from './controllers.ts'
import { delegationRoutes } from './delegation.ts'
import { deletedAddressRoutes } from './deleted-addresses.ts'
import { domainRoutes } from './domains.ts'
import { eventRoutes } from './events.ts'
import { factorRoutes } from './factors.ts'
import { fileRoutes } from './files.ts'
import { folderRoutes } from './folders.ts'
import { groupRoutes } from './groups.ts'
import { invitationRoutes } from './invitations.ts'
import { oauthRoutes } from './oauth.ts'
import { oneOffRoutes } from './one-offs.ts'
import { operationRoutes } from './operations.ts'
import { ownSessionRoutes } from './own-sessions.ts'
import { passwordRoutes } from './passwords.ts'
import { paymentRoutes } from './payments.ts'
import { policyRoutes } from './policies.ts'
import { priceChangeRoutes } from './price-changes.ts'
import { receiptRoutes } from './receipts.ts'
import { referralRoutes } from './referrals.ts'
import { resourceRoutes } from './resources.ts'
import { roomRoutes } from './rooms.ts'
import type { Call } from './route.ts'
import { searchRoutes } from './search.ts'
import { sessionRoutes } from './sessions.ts'
import { signupRoutes } from './signup.ts'
import { staffRoutes } from './staff.ts'
import { staffCreationRoutes } from './staff-creation.ts'
import { staffSubscriptionRoutes } from './staff-subscriptions.ts'
import { statsRoutes } from './stats.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { tenantCatalogueRoutes } from './tenant-catalogue.ts'
import { tenantSignUpRoutes } from './tenant-sign-up.ts'
import { tenantRoutes } from './tenants.ts'
import { userRoutes } from './users.ts'
import { walletRoutes } from './wallets.ts'

/**
 * Every call of the wire by `METHOD /path/{parameter}`. Where one path means another call on the hosts of staff, that
 * call's key ends with ` @staff`.
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
  ...eventRoutes,
  ...searchRoutes,
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
  ...ownSessionRoutes,
  ...operationRoutes,
  ...oauthRoutes,
  ...contentRoutes,
}

export type RouteKey = keyof typeof routes

/** Parameters, query, body and answer of each call; import this as a type only where size matters. */
export type Routes = { [K in RouteKey]: Call<(typeof routes)[K]> }
