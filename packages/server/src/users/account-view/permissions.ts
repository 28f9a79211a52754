import type { PermissionFlag } from '@gatehouse/contract/permissions'

/** What a user's permission flags depend on; reference api-objects §2. */
export interface PermissionFacts {
  /** The user owns or controls the account's wallet. */
  readonly isController: boolean
  /** The user's own degraded bit. */
  readonly isDegraded: boolean
  /** The account bills a domain, or the tenant sells no domain hosting. */
  readonly hasCustomDomain: boolean
  readonly plan: { readonly mode: string; readonly hasDomain: boolean } | undefined
  readonly userSkus: readonly string[]
  /** Titles of the tenant's SKUs. */
  readonly tenantSkus: ReadonlySet<string>
}

/** Features enabled by the operator. */
export interface Features {
  readonly companionapps: boolean
  readonly delegation: boolean
  readonly distlists: boolean
  readonly files: boolean
  readonly folders: boolean
  readonly loginAs: boolean
  readonly mailfilter: boolean
  /** Payments are accepted. */
  readonly payments: boolean
  readonly resources: boolean
  readonly rooms: boolean
  readonly subscriptions: boolean
  readonly wallets: boolean
}

/** The permission flags of `statusInfo`. */
export function permissionFlags(facts: PermissionFacts, on: Features): Record<PermissionFlag, boolean> {
  const controller = facts.isController
  const beta = facts.userSkus.includes('beta') || !facts.tenantSkus.has('beta')
  const withDomain = controller && facts.hasCustomDomain
  return {
    enableBeta: beta,
    enableCompanionapps: beta && on.companionapps,
    enableDelegation: on.delegation,
    enableDistlists: withDomain && on.distlists,
    enableDomains: withDomain || (controller && facts.plan?.hasDomain === true),
    enableFiles: !facts.isDegraded && beta && on.files,
    enableFolders: withDomain && on.folders,
    enableLoginAs: controller && on.loginAs,
    enableMailfilter: controller && on.mailfilter,
    enableResources: withDomain && beta && on.resources,
    enableRooms: !facts.isDegraded && on.rooms && facts.tenantSkus.has('room'),
    enableSettings: controller,
    enableSubscriptions: controller && on.subscriptions,
    enableUsers: controller,
    enableWalletMandates: controller && on.payments,
    enableWalletPayments: controller && on.payments && facts.plan?.mode !== 'mandate',
    enableWallets: controller && on.wallets,
  }
}
