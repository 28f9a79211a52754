import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** States by which a list can be filtered; not every kind of object has all of them. */
export const listStates = ['active', 'new', 'suspended', 'degraded', 'restricted', 'deleted'] as const

export type ListState = (typeof listStates)[number]

/** Filters of a list; absent ones don't apply. */
export interface ListFilter {
  readonly tenantId?: number | undefined
  readonly state?: ListState | undefined
  /** Id of the account's owner. */
  readonly ownerId?: number | undefined
  readonly role?: string | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
}

/** A user, domain, list, resource or folder as listed for scripts. */
export interface ListedObject {
  readonly id: number
  /** Address or name. */
  readonly name: string
  readonly tenantId: number
  readonly owner: string | null
  readonly role: string | null
  readonly status: number
  readonly createdAt: Date
  readonly deletedAt: Date | null
}

export type ListedKind = 'user' | 'domain' | DirectoryKind

/** Batch size of one statement. */
const atOnce = 1000

/** Yields all objects of a kind that match a filter, by id. */
export async function* listEverything(
  db: Db,
  kind: ListedKind,
  filter: ListFilter,
): AsyncGenerator<ListedObject> {
  let after = 0
  for (;;) {
    const { rows } =
      await sql<ListedObject>`select o.id, ${nameOf(kind)} as name, o.tenant_id, p.email as owner,
        ${kind === 'user' ? sql`o.role` : sql`null`} as role, o.status, o.created_at, o.deleted_at
      from ${sql.table(tableOf(kind))} o left join wallets w on w.id = o.wallet_id left join users p on p.id = w.user_id
      where o.id > ${after} and ${conditions(kind, filter)} order by o.id limit ${atOnce}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) return
    after = last.id
  }
}

function tableOf(kind: ListedKind): string {
  if (kind === 'user') return 'users'
  return kind === 'domain' ? 'domains' : 'directory_objects'
}

function nameOf(kind: ListedKind): RawBuilder<string> {
  return kind === 'domain' ? sql`o.namespace` : sql`o.email`
}

function conditions(kind: ListedKind, filter: ListFilter): RawBuilder<unknown> {
  const { tenantId, state, ownerId, role, createdFrom, createdBefore } = filter
  const all: RawBuilder<unknown>[] = [
    // erased or released objects have no name
    kind === 'user' ? sql`o.forgotten_at is null` : sql`position('#' in ${nameOf(kind)}) = 0`,
    state === 'deleted' ? sql`o.deleted_at is not null` : sql`o.deleted_at is null`,
  ]
  if (kind !== 'user' && kind !== 'domain') all.push(sql`o.kind = ${kind}`)
  if (tenantId !== undefined) all.push(sql`o.tenant_id = ${tenantId}`)
  if (ownerId !== undefined) all.push(sql`w.user_id = ${ownerId}`)
  if (role !== undefined) all.push(kind === 'user' ? sql`o.role = ${role}` : sql`false`)
  if (createdFrom !== undefined) all.push(sql`o.created_at >= ${createdFrom}::timestamptz`)
  if (createdBefore !== undefined) all.push(sql`o.created_at < ${createdBefore}::timestamptz`)
  if (state !== undefined && state !== 'deleted') all.push(hasState(kind, state))
  return sql.join(all, sql` and `)
}

/** The bits for active and suspended are the same for all kinds. */
function hasState(kind: ListedKind, state: Exclude<ListState, 'deleted'>): RawBuilder<unknown> {
  const { active, suspended, degraded, restricted } = userStatus
  if (state === 'active') return sql`o.status & ${active | suspended}::int = ${active}::int`
  if (state === 'new') return sql`o.status & ${active}::int = 0`
  const bit = { suspended, degraded, restricted }[state]
  if (state !== 'suspended' && kind !== 'user') return sql`false`
  return sql`o.status & ${bit}::int <> 0`
}

/** A wallet as listed for scripts. */
export interface ListedWallet {
  readonly id: string
  readonly owner: string
  readonly tenantId: number
  readonly balance: number
  readonly currency: string
  /** Percent; null: none. */
  readonly discount: number | null
  readonly status: number
  readonly createdAt: Date
}

/** Yields the wallets of owners who aren't deleted, by id; `state`: negative, positive or zero balance. */
export async function* listWallets(
  db: Db,
  filter: Pick<ListFilter, 'tenantId'> & { readonly state?: 'debt' | 'credit' | 'empty' | undefined },
): AsyncGenerator<ListedWallet> {
  let after: string | null = null
  const { tenantId, state } = filter
  const sign = state === undefined ? undefined : { debt: -1, credit: 1, empty: 0 }[state]
  for (;;) {
    const { rows }: { rows: ListedWallet[] } =
      await sql<ListedWallet>`select w.id, o.email as owner, o.tenant_id, w.balance, w.currency, d.discount, o.status,
        w.created_at
      from wallets w join users o on o.id = w.user_id left join discounts d on d.id = w.discount_id
      where o.deleted_at is null and o.forgotten_at is null and (${after}::uuid is null or w.id > ${after}::uuid)
        and (${tenantId ?? null}::int is null or o.tenant_id = ${tenantId ?? null}::int)
        and (${sign ?? null}::int is null or sign(w.balance) = ${sign ?? null}::int)
      order by w.id limit ${atOnce}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) return
    after = last.id
  }
}
