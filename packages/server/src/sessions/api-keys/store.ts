import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { ownerAwaitsPayment } from '../../users/account-lock-store.ts'
import { accountFactorPolicy, hasCompanion, hasFactor } from '../standing-store.ts'

/** An API key as listed. */
export interface StoredApiKey {
  readonly id: string
  readonly userId: number | null
  readonly walletId: string | null
  readonly name: string
  readonly prefix: string
  readonly scopes: string[]
  readonly networks: string[]
  readonly createdAt: Date
  readonly creator: string | null
  readonly expiresAt: Date | null
  readonly previousUntil: Date | null
  readonly lastUsedAt: Date | null
  readonly lastUsedIp: string | null
}

/** The keys of a person, of an account, or both. */
export interface KeysOf {
  readonly userId?: number
  readonly walletIds?: readonly string[]
}

/** Returns API keys, newest first. */
export async function readApiKeys(db: Db, of: KeysOf, now: Date): Promise<StoredApiKey[]> {
  const { rows } = await sql<StoredApiKey>`select k.id, k.user_id, k.wallet_id, k.name, k.scopes, k.networks,
      k.created_at, k.expires_at, k.last_used_at, k.last_used_ip, c.email as creator, s.prefix,
      (select max(p.valid_until) from api_key_secrets p where p.key_id = k.id and p.valid_until > ${now})
        as previous_until
    from api_keys k
      join api_key_secrets s on s.key_id = k.id and s.valid_until is null
      left join users c on c.id = k.created_by and c.deleted_at is null
    where k.user_id = ${of.userId ?? null}::bigint or k.wallet_id = any(${of.walletIds ?? []}::uuid[])
    order by k.created_at desc, k.id desc`.execute(db)
  return rows
}

/** Returns the accounts that a user owns. */
export async function walletsOwnedBy(db: Db, userId: number): Promise<string[]> {
  const rows = await db.selectFrom('wallets').select('id').where('userId', '=', userId).execute()
  return rows.map(({ id }) => id)
}

export async function countApiKeys(
  db: Db,
  { userId, walletId }: Pick<NewKeyRow, 'userId' | 'walletId'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from api_keys
    where user_id = ${userId}::bigint or wallet_id = ${walletId}::uuid`.execute(db)
  return rows[0]?.count ?? 0
}

export interface NewKeyRow {
  readonly id: string
  readonly userId: number | null
  readonly walletId: string | null
  readonly createdBy: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly networks: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export async function insertApiKey(trx: Db, key: NewKeyRow): Promise<void> {
  await trx
    .insertInto('apiKeys')
    .values({ ...key, scopes: [...key.scopes], networks: [...key.networks] })
    .execute()
}

export interface NewSecret {
  readonly prefix: string
  readonly secretHash: Buffer
  readonly createdAt: Date
}

export async function insertSecret(trx: Db, keyId: string, secret: NewSecret): Promise<void> {
  await trx
    .insertInto('apiKeySecrets')
    .values({ ...secret, keyId })
    .execute()
}

/** Ends a key's earlier secrets: the current one at a moment, and any before it at once. */
export async function endSecrets(trx: Db, keyId: string, now: Date, validUntil: Date): Promise<void> {
  await trx
    .deleteFrom('apiKeySecrets')
    .where('keyId', '=', keyId)
    .where('validUntil', 'is not', null)
    .execute()
  if (validUntil <= now) {
    await trx.deleteFrom('apiKeySecrets').where('keyId', '=', keyId).execute()
    return
  }
  await trx.updateTable('apiKeySecrets').set({ validUntil }).where('keyId', '=', keyId).execute()
}

/** Returns and locks an API key; undefined if it doesn't exist. */
export async function holdApiKey(trx: Db, id: string) {
  return trx
    .selectFrom('apiKeys')
    .select(['id', 'userId', 'walletId', 'name', 'scopes', 'networks', 'expiresAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function changeApiKey(
  trx: Db,
  id: string,
  values: {
    readonly name?: string
    readonly networks?: string[]
    readonly expiresAt?: Date | null
    readonly noticedAt?: null
  },
): Promise<void> {
  await trx.updateTable('apiKeys').set(values).where('id', '=', id).execute()
}

export async function removeApiKey(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('apiKeys').where('id', '=', id).execute()
}

/** Removes a person's own keys and the keys of accounts; returns their names, oldest first. */
export async function removeApiKeys(trx: Db, { userId, walletIds }: KeysOf): Promise<string[]> {
  const { rows } = await sql<{ id: string; name: string }>`delete from api_keys
    where user_id = ${userId ?? null}::bigint or wallet_id = any(${walletIds ?? []}::uuid[])
    returning id, name`.execute(trx)
  return rows.sort((left, right) => (left.id < right.id ? -1 : 1)).map(({ name }) => name)
}

/** What a request with an API key depends on. */
export interface KeyRow {
  readonly secretHash: Buffer
  readonly keyId: string
  readonly name: string
  readonly keyScopes: string[]
  readonly networks: string[]
  readonly isAccount: boolean
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly id: number
  readonly tenantId: number
  readonly email: string
  readonly role: Role | null
  readonly status: number
  readonly ownerStatus: number | null
  readonly isLocked: boolean
  readonly accountVersion: string
  readonly hasFactor: boolean
  readonly hasCompanion: boolean
  readonly factorPolicy: string | null
}

/** Returns the API key with this prefix and the user it acts for, if neither is gone. */
export async function findApiKey(db: Db, prefix: string, now: Date): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`select s.secret_hash, k.id as key_id, k.name, k.scopes as key_scopes,
      k.networks, k.wallet_id is not null as is_account, k.expires_at, k.last_used_at,
      u.id, u.tenant_id, u.email, u.role, u.status, o.status as owner_status,
      ${sql.raw(ownerAwaitsPayment)} as is_locked,
      concat_ws('.', u.revision, aw.id, aw.revision, o.revision, d.id, d.revision) as account_version,
      ${hasFactor} as has_factor, ${hasCompanion} as has_companion, ${accountFactorPolicy} as factor_policy
    from api_key_secrets s
      join api_keys k on k.id = s.key_id
      left join wallets kw on kw.id = k.wallet_id
      join users u on u.id = coalesce(k.user_id, kw.user_id)
      left join wallets aw on aw.id = u.wallet_id
      left join users o on o.id = aw.user_id
      left join domains d on d.namespace = split_part(u.email, '@', 2)
    where s.prefix = ${prefix} and (s.valid_until is null or s.valid_until > ${now})
      and u.deleted_at is null and o.deleted_at is null and u.role is distinct from 'service'`.execute(db)
  return rows[0]
}

/** Counts a request in the current period; returns the number of requests, and the beginning of the period. */
export async function countRequest(
  db: Db,
  keyId: string,
  now: Date,
  since: Date,
): Promise<{ readonly requests: number; readonly beganAt: Date }> {
  const { rows } = await sql<{ requests: number; beganAt: Date }>`with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    )
    insert into api_key_requests as r (key_id, began_at, requests)
    select ${keyId}::uuid, ${now}::timestamptz, 1 from relaxed
    on conflict (key_id) do update set
      requests = case when r.began_at > ${since}::timestamptz then least(r.requests, 1000000) + 1 else 1 end,
      began_at = case when r.began_at > ${since}::timestamptz then r.began_at else excluded.began_at end
    returning requests, began_at`.execute(db)
  return rows[0] ?? { requests: 1, beganAt: now }
}

/** Records a use unless one was recorded since `unless`. */
export async function noteApiKeyUse(
  db: Db,
  id: string,
  use: { readonly at: Date; readonly ip: string },
  unless: Date,
): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: use.at, lastUsedIp: use.ip })
    .where('id', '=', id)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<=', unless)]))
    .execute()
}

/** Marks keys that expire until a moment as notified, and returns them with the user to notify. */
export async function takeExpiring(trx: Db, now: Date, until: Date) {
  const { rows } = await sql<{ name: string; userId: number; expiresAt: Date }>`update api_keys k
    set noticed_at = ${now}
    where k.noticed_at is null and k.expires_at > ${now} and k.expires_at <= ${until}
      -- a key made for less time needs no notice
      and k.expires_at - k.created_at > ${until}::timestamptz - ${now}::timestamptz
    returning k.name, k.expires_at,
      coalesce(k.user_id, (select w.user_id from wallets w where w.id = k.wallet_id)) as user_id`.execute(trx)
  return rows
}

/** Deletes expired secrets, and keys that expired before a moment. */
export async function purgeKeys(db: Db, now: Date, expiredBefore: Date): Promise<void> {
  await db.deleteFrom('apiKeySecrets').where('validUntil', '<=', now).execute()
  await db.deleteFrom('apiKeys').where('expiresAt', '<', expiredBefore).execute()
}
