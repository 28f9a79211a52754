import { domainStatus, domainType, hasBit } from '@gatehouse/contract/status'
import type { Db } from '../../platform/db/database.ts'
import { claimAddress } from '../create-user.ts'

/** A domain as the rules for new addresses see it. */
export interface AddressDomain {
  readonly namespace: string
  readonly isPublic: boolean
  readonly isConfirmed: boolean
  /** Owner of the account with the domain; null if none. */
  readonly ownerId: number | null
}

/** Returns a tenant's active domains with these names. */
export async function domainsByName(
  db: Db,
  tenantId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, AddressDomain>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('domains as d')
    .leftJoin('wallets as w', 'w.id', 'd.walletId')
    .select(['d.namespace', 'd.type', 'd.status', 'w.userId'])
    .where('d.namespace', 'in', [...names])
    .where('d.tenantId', '=', tenantId)
    .where('d.deletedAt', 'is', null)
    .execute()
  return new Map(
    rows.map((row) => [
      row.namespace,
      {
        namespace: row.namespace,
        isPublic: hasBit(row.type, domainType.public),
        isConfirmed: hasBit(row.status, domainStatus.confirmed),
        ownerId: row.userId,
      },
    ]),
  )
}

/** Returns which of these addresses are taken by any object of any account. */
export async function takenAddresses(db: Db, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const rows = await db
    .selectFrom('addresses')
    .select('address')
    .where('address', 'in', [...addresses])
    .execute()
  return new Set(rows.map((row) => row.address))
}

/**
 * Releases addresses and claims others for an object, in a fixed order to avoid deadlocks. Throws
 * AddressTaken.
 */
export async function changeAliases(
  db: Db,
  object: { readonly id: number; readonly tenantId: number; readonly kind: 'alias' | 'folder-alias' },
  change: { readonly removed: readonly string[]; readonly added: readonly string[] },
): Promise<void> {
  const { id, tenantId, kind } = object
  const removed = new Set(change.removed)
  for (const address of [...change.removed, ...change.added].sort()) {
    if (!removed.has(address)) {
      await claimAddress(db, { address, kind, objectId: id, tenantId })
      continue
    }
    await db
      .deleteFrom('addresses')
      .where('address', '=', address)
      .where('kind', '=', kind)
      .where('objectId', '=', id)
      .execute()
  }
}
