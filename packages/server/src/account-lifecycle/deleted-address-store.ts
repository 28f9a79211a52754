import type { DeletedHolder } from '@gatehouse/contract/directory/deleted-addresses'
import { domainType, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { OwnedObject } from '../users/policy.ts'

/** A deleted object that still has an address in a domain of its account. */
export interface AddressHolder extends OwnedObject {
  readonly type: DeletedHolder['type']
  readonly id: number
  readonly name: string
  readonly walletId: string
  readonly deletedAt: Date
  readonly isPrimary: boolean
  /** The back end has removed it: its mailbox no longer exists. */
  readonly isRemoved: boolean
}

interface Row {
  type: DeletedHolder['type']
  id: number
  name: string
  role: string | null
  tenantId: number
  walletId: string
  ownerId: number
  controllerIds: number[]
  deletedAt: Date
  isPrimary: boolean
  isRemoved: boolean
}

/**
 * Returns the deleted object that holds an address. Undefined if there is none, if it isn't deleted, or if the
 * domain is public.
 */
export async function findHolder(db: Db, address: string): Promise<AddressHolder | undefined> {
  // both kinds of rows use the same bit for "removed by the back end"
  const removed = sql.lit(userStatus.deleted)
  const { rows } = await sql<Row>`
    select h.type, h.id, h.name, h.role, h.tenant_id, h.wallet_id, w.user_id as owner_id, h.deleted_at,
      array(select c.user_id from wallet_controllers c where c.wallet_id = h.wallet_id) as controller_ids,
      a.kind = h.type as is_primary, h.is_removed
    from addresses a
      cross join lateral (
        select 'user' as type, u.id, u.email as name, u.role, u.tenant_id, u.wallet_id, u.deleted_at,
          u.status & ${removed} <> 0 as is_removed
        from users u where a.kind in ('user', 'alias') and u.id = a.object_id and u.forgotten_at is null
        union all
        select o.kind, o.id, o.name, null, o.tenant_id, o.wallet_id, o.deleted_at, o.status & ${removed} <> 0
        from directory_objects o
        where a.kind in ('group', 'resource', 'shared-folder', 'folder-alias') and o.id = a.object_id
      ) h
      join wallets w on w.id = h.wallet_id
      join domains d on d.namespace = split_part(a.address, '@', 2) and d.deleted_at is null
        and d.tenant_id = h.tenant_id and d.type & ${sql.lit(domainType.public)} = 0
      join wallets dw on dw.id = d.wallet_id and dw.user_id = w.user_id
    where a.address = ${address} and h.deleted_at is not null`.execute(db)
  const [row] = rows
  return (
    row && {
      type: row.type,
      id: row.id,
      name: row.name,
      role: row.role,
      ...(row.type === 'user' && { userId: row.id }),
      tenantId: row.tenantId,
      ownerId: row.ownerId,
      controllerIds: row.controllerIds,
      walletId: row.walletId,
      deletedAt: row.deletedAt,
      isPrimary: row.isPrimary,
      isRemoved: row.isRemoved,
    }
  )
}

/** Removes an alias from its object. */
export async function removeAlias(db: Db, address: string): Promise<void> {
  await db
    .deleteFrom('addresses')
    .where('address', '=', address)
    .where('kind', 'in', ['alias', 'folder-alias'])
    .execute()
}
