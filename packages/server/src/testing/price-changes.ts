import { newUuid } from '../platform/ids.ts'
import { priceChangeJob } from '../subscriptions/price-changes/work.ts'
import { type MadeUser, makeUser } from './factories.ts'
import { makeUnits, type UnitFacts } from './payments/billing.ts'
import type { TestApp } from './test-app.ts'

let counter = 0

/** Creates a separate SKU, so that other changes in the file don't interfere. */
export async function makeSku(
  app: TestApp,
  facts: { cost?: number; fee?: number; period?: 'monthly' | 'yearly'; tenantId?: number } = {},
): Promise<{ id: string; title: string }> {
  const sku = { id: newUuid(), title: `priced-${++counter}` }
  await app.database.db
    .insertInto('skus')
    .values({
      ...{
        ...sku,
        tenantId: facts.tenantId ?? 0,
        cost: facts.cost ?? 500,
        fee: facts.fee ?? 200,
        unitsFree: 0,
      },
      ...{
        name: JSON.stringify({ en: `Extra ${counter}` }),
        description: '{}',
        period: facts.period ?? ('monthly' as const),
      },
      ...{ handler: 'Beta', active: true },
    })
    .execute()
  return sku
}

/** Creates an owner with an external address and paid units. */
export async function makeSubscriber(
  app: TestApp,
  units: readonly UnitFacts[],
  facts: { tenantId?: number } = {},
): Promise<MadeUser & { readonly external: string }> {
  const external = `subscriber${++counter}@elsewhere.test`
  const { tenantId = 0 } = facts
  const user = await makeUser(app, { plan: null, tenantId, settings: { external_email: external } })
  if (units.length > 0) await makeUnits(app, user.walletId, units)
  return { ...user, external }
}

/** Moves the clock to a moment and runs the work due on price changes. */
export async function moveTo(app: TestApp, moment: Date): Promise<void> {
  app.clock.advance((moment.getTime() - app.clock.now().getTime()) / 1000)
  await app.jobs.enqueue(app.database.db, priceChangeJob, {})
  await app.jobs.drain()
}
