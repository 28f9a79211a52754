import type { MailKind } from '@gatehouse/contract/directory/kinds'
import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { newUuid } from '../../platform/ids.ts'

/** Returns a user created earlier by the demo. */
export function demoUser(
  db: Db,
  email: string,
): Promise<{ id: number; email: string; tenantId: number; walletId: string | null }> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'tenantId', 'walletId'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
}

/** Returns the ids of all objects of a kind. The demo is loaded into an installation without any. */
export async function demoObjects(db: Db, kind: MailKind): Promise<number[]> {
  const objects =
    kind === 'user' || kind === 'domain'
      ? db.selectFrom(kind === 'user' ? 'users' : 'domains').select('id')
      : db.selectFrom('directoryObjects').select('id').where('kind', '=', kind)
  return (await objects.execute()).map(({ id }) => id)
}

/** Gives a wallet the tenant's discount of this percentage without a code. */
export async function giveDiscount(
  db: Db,
  walletId: string,
  { tenantId, percent }: { readonly tenantId: number; readonly percent: number },
): Promise<void> {
  await db
    .updateTable('wallets')
    .set((eb) => ({
      discountId: eb
        .selectFrom('discounts')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('discount', '=', percent)
        .where('code', 'is', null),
    }))
    .where('id', '=', walletId)
    .execute()
}

export async function insertSku(db: Db, sku: Omit<Insertable<Schema['skus']>, 'id'>): Promise<void> {
  await db
    .insertInto('skus')
    .values({ ...sku, id: newUuid() })
    .execute()
}

/** Returns the plan's id. */
export async function insertPlan(
  db: Db,
  plan: Omit<Insertable<Schema['plans']>, 'id'>,
  packages: readonly Omit<Insertable<Schema['planPackages']>, 'planId'>[],
): Promise<string> {
  const id = newUuid()
  await db
    .insertInto('plans')
    .values({ ...plan, id })
    .execute()
  await db
    .insertInto('planPackages')
    .values(packages.map((item) => ({ ...item, planId: id })))
    .execute()
  return id
}

/** Returns the rate's id. */
export async function insertVatRate(
  db: Db,
  rate: Omit<Insertable<Schema['vatRates']>, 'id'>,
): Promise<string> {
  const id = newUuid()
  await db
    .insertInto('vatRates')
    .values({ ...rate, id })
    .execute()
  return id
}

export async function backdateTenant(db: Db, id: number, created: Date): Promise<void> {
  await db.updateTable('tenants').set({ createdAt: created }).where('id', '=', id).execute()
}
