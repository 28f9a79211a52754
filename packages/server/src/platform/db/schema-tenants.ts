import type { ColumnType, Generated } from 'kysely'

export interface TenantTable {
  id: number
  title: string
  settings: ColumnType<Record<string, string>, string, string>
  /** What the tenant publishes in the DNS to prove hosts and domains. */
  proofToken: Generated<string>
  /** Where the tenant's profits go; null: they are not shared out. */
  walletId: Generated<string | null>
  createdAt: Generated<Date>
}

/** Hosts and mail domains that the settings of a tenant name. */
export interface TenantNameTable {
  tenantId: number
  /** Lower case, punycode, no trailing dot. */
  name: string
  /** The host of the tenant's portal, which one tenant only has. */
  isHost: boolean
  claimedAt: Date
  checkedAt: ColumnType<Date | null, never, Date>
  failure: ColumnType<NameFailure | null, never, NameFailure | null>
  confirmedAt: Date | null
  confirmedBy: 'dns' | 'staff' | null
}

/** Domains that a tenant wants to open for sign-up and has not proved yet. */
export interface PublicDomainClaimTable {
  tenantId: number
  /** Lower case, punycode. */
  namespace: string
  claimedAt: Date
  checkedAt: Generated<Date | null>
  failure: Generated<Exclude<NameFailure, 'reserved'> | null>
}

/** Why the last check did not confirm a name. */
export type NameFailure = 'absent' | 'different' | 'alias' | 'unreachable' | 'reserved'
