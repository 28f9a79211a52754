import type { DirectoryKind } from '../../directory/objects/object.ts'
import type { Db } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'

type UserRole = 'admin' | 'reseller' | null

/** What commands look up and change that no other part of the server needs. */

/** The user of an address, deleted or not. */
export function userOfAddress(
  db: Db,
  email: string,
): Promise<{ id: number; email: string; tenant_id: number; deleted_at: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'tenant_id', 'deleted_at'])
    .where('email', '=', email)
    .executeTakeFirst()
}

export async function writeRole(db: Db, userId: number, role: UserRole, now: Date): Promise<void> {
  await db.updateTable('users').set({ role, updated_at: now }).where('id', '=', userId).execute()
}

/** The number of an object by number or address; of deleted ones the last. */
export async function objectNumber(
  db: Db,
  kind: DirectoryKind,
  { email, id, isDeleted }: { readonly email: string; readonly id: number; readonly isDeleted: boolean },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('directory_objects')
    .select('id')
    .where('kind', '=', kind)
    .where('deleted_at', isDeleted ? 'is not' : 'is', null)
    .where((where) => where.or([where('email', '=', email), where('id', '=', id)]))
    .orderBy('deleted_at', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** Packages of a tenant by title. */
export function packageTitles(db: Db, tenantId: number): Promise<{ id: string; title: string }[]> {
  return db
    .selectFrom('packages')
    .select(['id', 'title'])
    .where('tenant_id', '=', tenantId)
    .orderBy('title')
    .execute()
}

/** The wallet of that number, or the first one of the user who has that address. */
export function walletOf(
  db: Db,
  whose: { readonly id: string } | { readonly email: string },
): Promise<{ id: string; email: string; tenantId: number } | undefined> {
  const wallets = db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.user_id')
    .select(['w.id', 'o.email', 'o.tenant_id as tenantId'])
    .orderBy('w.created_at')
    .orderBy('w.id')
  const found =
    'id' in whose ? wallets.where('w.id', '=', whose.id) : wallets.where('o.email', '=', whose.email)
  return found.executeTakeFirst()
}

/** Wallets that aren't empty, or only those with debts; balances in cents, smallest first. */
export function balances(
  db: Db,
  isDebtOnly: boolean,
): Promise<{ id: string; balance: number; currency: string; email: string }[]> {
  return db
    .selectFrom('wallets as w')
    .innerJoin('users as o', 'o.id', 'w.user_id')
    .select(['w.id', 'w.balance', 'w.currency', 'o.email'])
    .where('w.balance', isDebtOnly ? '<' : '<>', 0)
    .orderBy('w.balance')
    .execute()
}

/** Cents. */
export async function balanceOf(db: Db, walletId: string): Promise<number> {
  const { balance } = await db
    .selectFrom('wallets')
    .select('balance')
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow()
  return balance
}

/** Payments of a wallet, newest first. */
export function paymentsOf(db: Db, walletId: string) {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('wallet_id', '=', walletId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Discounts of a tenant with how many wallets have each. */
export function discountsOf(db: Db, tenantId: number) {
  return db
    .selectFrom('discounts as d')
    .leftJoin('wallets as w', 'w.discount_id', 'd.id')
    .select((eb) => [
      'd.id',
      'd.code',
      'd.discount',
      'd.active',
      'd.usage_count',
      'd.usage_limit',
      'd.expires_at',
      eb.fn.count<number>('w.id').as('wallets'),
    ])
    .where('d.tenant_id', '=', tenantId)
    .groupBy('d.id')
    .orderBy('d.discount')
    .orderBy('d.id')
    .execute()
}

/** The discount of that number or code among those of a tenant. */
export async function discountNumber(db: Db, tenantId: number, name: string): Promise<string | undefined> {
  const discounts = db.selectFrom('discounts').select('id').where('tenant_id', '=', tenantId)
  const found = isUuid(name)
    ? discounts.where('id', '=', name)
    : discounts.where('code', '=', name.toUpperCase())
  return (await found.executeTakeFirst())?.id
}

export interface NewDiscount {
  readonly id: string
  readonly tenant_id: number
  readonly code: string | null
  /** Percent. */
  readonly discount: number
  /** JSON by language. */
  readonly description: string
  readonly usage_limit: number | null
  readonly expires_at: Date | null
}

export async function insertDiscount(db: Db, discount: NewDiscount): Promise<void> {
  await db
    .insertInto('discounts')
    .values({ ...discount, active: true })
    .execute()
}

export async function deactivateDiscount(db: Db, id: string): Promise<void> {
  await db.updateTable('discounts').set({ active: false }).where('id', '=', id).execute()
}

/** Invitations of a tenant, newest first. */
export function invitationsOf(db: Db, tenantId: number) {
  return db
    .selectFrom('signup_invitations')
    .select(['id', 'email', 'status', 'expires_at'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function invitationOf(
  db: Db,
  id: string,
): Promise<{ id: string; email: string; tenant_id: number } | undefined> {
  return db
    .selectFrom('signup_invitations')
    .select(['id', 'email', 'tenant_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function deleteInvitation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('signup_invitations').where('id', '=', id).execute()
}
