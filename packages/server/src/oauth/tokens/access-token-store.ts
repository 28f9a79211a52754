import type { Pool } from 'pg'
import type { Role } from '../../platform/http/callers/principal.ts'
import { ownerAwaitsPayment } from '../../users/account-lock-store.ts'

/** An access token issued to an application. */
export interface ApplicationToken {
  readonly handle: string
  readonly grant_hash: Buffer
  readonly client_id: string
  readonly scopes: string[]
  readonly allowed: string[]
  readonly id: number
  readonly tenant_id: number
  readonly email: string
  readonly role: Role | null
  readonly status: number
  readonly is_locked: boolean
  readonly account_version: string
}

/** 4: suspended, as in the contract. */
const statement = {
  name: 'oauth-token-by-hash',
  text: `select r.handle, r.grant_hash, r.client_id, string_to_array(r.payload->>'scope', ' ') as scopes,
      c.scopes as allowed, u.id, u.tenant_id, u.email, u.role, u.status,
      ${ownerAwaitsPayment} as is_locked,
      concat_ws('.', u.revision, aw.id, aw.revision, o.revision, d.id, d.revision) as account_version
    from oauth_records r
      join oauth_live_grants g on g.id_hash = r.grant_hash and g.expires_at > $2
      join oauth_clients c on c.id = r.client_id and c.disabled_at is null
      join users u on u.id = r.user_id
      left join wallets aw on aw.id = u.wallet_id
      left join users o on o.id = aw.user_id
      left join domains d on d.namespace = split_part(u.email, '@', 2)
    where r.model = 'AccessToken' and r.id_hash = $1 and r.expires_at > $2
      and u.deleted_at is null and o.deleted_at is null and u.status & 4 = 0 and u.role is distinct from 'service'`,
}

/** Returns a valid token of a user who may use it. */
export async function readApplicationToken(
  pool: Pool,
  hash: Buffer,
  now: Date,
): Promise<ApplicationToken | undefined> {
  const { rows } = await pool.query<ApplicationToken>({ ...statement, values: [hash, now] })
  return rows[0]
}
