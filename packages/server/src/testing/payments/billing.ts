import { newUuid } from '../../platform/ids.ts'
import type { TestApp } from '../test-app.ts'

export interface UnitFacts {
  readonly id?: string
  /** Title of the SKU. */
  readonly sku?: string
  readonly cost: number
  readonly fee?: number
  readonly months?: number
  readonly createdAt: Date
  readonly billedUntil?: Date
  readonly deletedAt?: Date | null
  readonly objectId?: number
}

/** Adds units to a wallet as they would be after some time; returns their ids. */
export async function makeUnits(
  app: TestApp,
  walletId: string,
  units: readonly UnitFacts[],
): Promise<string[]> {
  const { db } = app.database
  const skus = await db.selectFrom('skus').select(['id', 'title']).where('tenantId', '=', 0).execute()
  const rows = units.map((unit) => {
    const sku = skus.find(({ title }) => title === (unit.sku ?? 'mailbox'))
    if (sku === undefined) throw new Error(`no SKU ${unit.sku}`)
    return {
      id: unit.id ?? newUuid(),
      walletId,
      skuId: sku.id,
      objectType: 'user' as const,
      objectId: unit.objectId ?? 1,
      cost: unit.cost,
      fee: unit.fee ?? Math.floor((unit.cost * 40) / 100),
      months: unit.months ?? 1,
      description: null,
      createdAt: unit.createdAt,
      billedUntil: unit.billedUntil ?? unit.createdAt,
      deletedAt: unit.deletedAt ?? null,
    }
  })
  await db.insertInto('entitlements').values(rows).execute()
  return rows.map((row) => row.id)
}

/** Returns the cents in a wallet. */
export async function balanceOf(app: TestApp, walletId: string): Promise<number> {
  const row = await app.database.db
    .selectFrom('wallets')
    .select('balance')
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow()
  return row.balance
}

/** Sets the wallet that receives a tenant's profits. */
export async function setTenantWallet(
  app: TestApp,
  tenantId: number,
  walletId: string | null,
): Promise<void> {
  await app.database.db.updateTable('tenants').set({ walletId }).where('id', '=', tenantId).execute()
}
