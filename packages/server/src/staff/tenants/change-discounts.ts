import type { Language } from '@gatehouse/contract/language'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, isUniqueViolation } from '../../platform/db/database.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { insertDiscount, setDiscountActive } from '../money/discount-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
}

interface NewDiscount {
  readonly tenantId: number
  /** Percent. */
  readonly discount: number
  readonly description: string
  /** Language of the description. */
  readonly language: Language
  readonly code?: string | null | undefined
}

/**
 * Creates a discount for a tenant and returns its id. Throws ValidationError at `code` if the code is taken.
 */
export async function createDiscount(
  { db, clock }: Parts,
  facts: NewDiscount,
  actor: Actor,
): Promise<string> {
  const { tenantId, discount, language } = facts
  const id = newUuid()
  const code = facts.code?.toUpperCase() ?? null
  const description = JSON.stringify({ [language]: facts.description, en: facts.description })
  await db
    .transaction()
    .execute(async (trx) => {
      await insertDiscount(trx, { id, tenantId, code, discount, description, active: true })
      await record(trx, clock, tenantId, actor, 'tenant.discount-created', { discount, code })
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'discounts_code')) throw ValidationError.at('code', 'tenants.code-taken')
      throw error
    })
  return id
}

/** Activates or deactivates a tenant's discount. Throws NotFound. */
export async function switchDiscount(
  { db, clock }: Parts,
  tenantId: number,
  { id, active }: { readonly id: string; readonly active: boolean },
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const discount = await setDiscountActive(trx, tenantId, id, active)
    if (discount === undefined) throw new NotFound()
    await record(trx, clock, tenantId, actor, 'tenant.discount-changed', { discount, active })
  })
}

async function record(
  trx: Db,
  clock: Clock,
  tenantId: number,
  actor: Actor,
  event: string,
  data: Record<string, unknown>,
): Promise<void> {
  await audit(trx, clock, { tenantId, objectType: 'tenant', objectId: tenantId, event, actor, data })
}
