import { userFieldNames } from '@gatehouse/contract/directory/user-fields'
import { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { configSettings } from '../settings/user-config.ts'
import { type AccountView, type SubscriptionView, WalletMissing, type WalletView } from './account-view.ts'
import type { ProcessDomain, StepWork } from './setup-process.ts'

interface Row {
  id: number
  tenantId: number
  email: string
  role: Role | null
  status: number
  language: string | null
  walletId: string | null
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
  settings: Record<string, string>
  config: Record<string, string>
  ownerConfig: Record<string, string>
  aliases: string[]
  ownerId: number | null
  ownerStatus: number | null
  controllerIds: number[]
  wallets: WalletView[]
  subscriptions: SubscriptionView[]
  hasDomain: boolean
  plan: { mode: string; hasDomain: boolean } | null
  domain: ProcessDomain | null
  work: StepWork
}

const walletJson = `json_build_object(
  'id', w.id, 'user_id', w.user_id, 'user_email', wo.email, 'currency', w.currency, 'balance', w.balance,
  'description', w.description, 'discount_id', w.discount_id, 'discount', dc.discount,
  'discount_description', dc.description)`

const statement = {
  name: 'account-view',
  text: `select u.id, u.tenant_id as "tenantId", u.email, u.role, u.status, u.language, u.wallet_id as "walletId",
      u.created_at as "createdAt", u.updated_at as "updatedAt", u.deleted_at as "deletedAt", o.id as "ownerId",
      o.status as "ownerStatus",
    (select coalesce(json_object_agg(s.key, s.value), '{}') from user_settings s
      where s.user_id = u.id and s.key = any($2)) as settings,
    (select coalesce(json_object_agg(s.key, s.value), '{}') from user_settings s
      where s.user_id = u.id and s.key = any($3)) as config,
    (select coalesce(json_object_agg(s.key, s.value), '{}') from user_settings s
      where s.user_id = o.id and s.key = any($3)) as "ownerConfig",
    array(select a.address from addresses a where a.kind = 'alias' and a.object_id = u.id order by 1) as aliases,
    array(select c.user_id from wallet_controllers c where c.wallet_id = u.wallet_id) as "controllerIds",
    (select coalesce(json_agg(${walletJson} order by w.created_at), '[]')
      from wallets w join users wo on wo.id = w.user_id left join discounts dc on dc.id = w.discount_id
      where w.id = any(array(select own.id from wallets own where own.user_id = u.id) || u.wallet_id
        || array(select c.wallet_id from wallet_controllers c where c.user_id = u.id))) as wallets,
    (select coalesce(json_agg(json_build_object('id', id, 'title', title, 'costs', costs) order by title), '[]')
      from (select k.id, k.title, json_agg(e.cost order by e.cost) as costs
        from entitlements e join skus k on k.id = e.sku_id
        where e.object_type = 'user' and e.object_id = u.id and e.deleted_at is null
        group by k.id) held) as subscriptions,
    exists (select from entitlements e where e.wallet_id = u.wallet_id and e.object_type = 'domain'
      and e.deleted_at is null) as "hasDomain",
    (select json_build_object('mode', p.mode, 'hasDomain', exists (
        select from plan_packages pp join package_skus ps using (package_id) join skus k on k.id = ps.sku_id
        where pp.plan_id = p.id and k.handler = 'DomainHosting'))
      from user_settings s join plans p on p.id = s.value::uuid
      where s.user_id = o.id and s.key = 'plan_id') as plan,
    (select json_build_object('id', d.id, 'status', d.status, 'type', d.type) from domains d
      where d.namespace = split_part(u.email, '@', 2)) as domain,
    (select coalesce(json_object_agg(kind || '-' || step, state), '{}') from (
      select kind, step, state from provisioning where kind = 'user' and object_id = u.id
      union all select p.kind, p.step, p.state from domains d join provisioning p
        on p.kind = 'domain' and p.object_id = d.id where d.namespace = split_part(u.email, '@', 2)) noted) as work
  from users u left join wallets aw on aw.id = u.wallet_id left join users o on o.id = aw.user_id
  where u.id = $1 and u.deleted_at is null`,
}

/** Returns the wallet an object is billed to; undefined if there is none. */
export async function readWalletView(db: Db, walletId: string): Promise<WalletView | undefined> {
  const text = `select ${walletJson} as wallet from wallets w join users wo on wo.id = w.user_id
    left join discounts dc on dc.id = w.discount_id where w.id = $1`
  const { rows } = await db.executeQuery<{ wallet: WalletView }>(CompiledQuery.raw(text, [walletId]))
  return rows[0]?.wallet
}

/** Returns a user with everything needed to present them; undefined if there is none. */
export async function readAccountView(pool: Pool, userId: number): Promise<AccountView | undefined> {
  const { rows } = await pool.query<Row>({ ...statement, values: [userId, userFieldNames, configSettings] })
  const row = rows[0]
  return row && toView(row)
}

/** The same, including deleted users who aren't purged. */
export async function readAnyAccountView(db: Db, userId: number): Promise<AccountView | undefined> {
  const text = statement.text.replace('and u.deleted_at is null', 'and u.forgotten_at is null')
  const values = [userId, userFieldNames, configSettings]
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values))
  const row = rows[0]
  return row && toView(row)
}

/** The same inside a transaction. */
export async function readAccountViewIn(db: Db, userId: number): Promise<AccountView | undefined> {
  const values = [userId, userFieldNames, configSettings]
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement.text, values))
  const row = rows[0]
  return row && toView(row)
}

function toView(row: Row): AccountView {
  const wallets = row.wallets.filter((wallet) => wallet.user_id === row.id)
  const wallet = row.wallets.find((candidate) => candidate.id === row.walletId) ?? wallets[0]
  if (wallet === undefined) throw new WalletMissing(`user ${row.id} has no wallet`)
  return {
    user: {
      id: row.id,
      tenantId: row.tenantId,
      email: row.email,
      role: row.role,
      status: row.status,
      language: row.language,
      walletId: row.walletId,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      deletedAt: row.deletedAt,
    },
    settings: row.settings,
    config: row.config,
    ownerConfig: row.ownerConfig,
    aliases: row.aliases,
    owner:
      row.ownerId === null || row.ownerStatus === null
        ? undefined
        : { id: row.ownerId, status: row.ownerStatus },
    controllerIds: row.controllerIds,
    wallet,
    wallets,
    accounts: row.wallets.filter((item) => item.user_id !== row.id && isControlled(item, row)),
    subscriptions: row.subscriptions,
    hasDomainEntitlement: row.hasDomain,
    plan: row.plan ?? undefined,
    domain: row.domain ?? undefined,
    work: row.work,
  }
}

/** The list includes the account's wallet, which the user may not control. */
function isControlled(wallet: WalletView, row: Row): boolean {
  return wallet.id !== row.walletId || row.controllerIds.includes(row.id)
}

/** Returns the titles of the SKUs a tenant offers. */
export async function tenantSkuTitles(db: Db, tenantId: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('skus')
    .select('title')
    .where('tenantId', '=', tenantId)
    // a beta SKU that only staff give doesn't hide features from others
    .where((where) => where.or([where('active', '=', true), where('title', '<>', 'beta')]))
    .execute()
  return new Set(rows.map((row) => row.title))
}
