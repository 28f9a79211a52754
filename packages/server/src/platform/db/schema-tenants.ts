import type { ColumnType, Generated } from 'kysely'

export interface TenantTable {
  id: number
  title: string
  settings: ColumnType<Record<string, string>, string, string>
  /** What the tenant publishes in the DNS to prove hosts and domains. */
  proof_token: Generated<string>
  /** Where the tenant's profits go; null: they are not shared out. */
  wallet_id: Generated<string | null>
  created_at: Generated<Date>
}

/** Hosts and mail domains that the settings of a tenant name. */
export interface TenantNameTable {
  tenant_id: number
  /** Lower case, punycode, no trailing dot. */
  name: string
  /** The host of the tenant's portal, which one tenant only has. */
  is_host: boolean
  claimed_at: Date
  checked_at: ColumnType<Date | null, never, Date>
  failure: ColumnType<NameFailure | null, never, NameFailure | null>
  confirmed_at: Date | null
  confirmed_by: 'dns' | 'staff' | null
}

/** Domains that a tenant wants to open for sign-up and has not proved yet. */
export interface PublicDomainClaimTable {
  tenant_id: number
  /** Lower case, punycode. */
  namespace: string
  claimed_at: Date
  checked_at: Generated<Date | null>
  failure: Generated<Exclude<NameFailure, 'reserved'> | null>
}

/** Why the last check did not confirm a name. */
export type NameFailure = 'absent' | 'different' | 'alias' | 'unreachable' | 'reserved'
