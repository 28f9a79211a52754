import { type PlanMode, planMode } from '@gatehouse/contract/signup'
import type { OfferLimits } from '@gatehouse/contract/staff/tenant-catalogue'
import type { Db } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'
import { systemTenant } from '../platform/tenant.ts'

/** Default limits of a tenant's offers. */
export const usualOfferLimits: OfferLimits = {
  planModes: planMode.options,
  freeMonths: 3,
  packageDiscount: 50,
  belowFee: false,
  publicDomains: 5,
  signupTokens: 1000,
  referralAward: 10_000,
}

/** Each limit as stored: an integer of its own kind. */
const kinds: Readonly<Record<keyof OfferLimits, Schema['tenantLimits']['kind']>> = {
  planModes: 'plan-modes',
  freeMonths: 'free-months',
  packageDiscount: 'package-discount',
  belowFee: 'below-fee',
  publicDomains: 'public-domains',
  signupTokens: 'signup-tokens',
  referralAward: 'referral-award',
}

export const offerLimitKeys = Object.keys(kinds) as readonly (keyof OfferLimits)[] // the keys of the literal above

/** Returns a tenant's offer limits; null for the service itself, which has none. */
export async function readOfferLimits(db: Db, tenantId: number): Promise<OfferLimits | null> {
  if (tenantId === systemTenant) return null
  const rows = await db.selectFrom('tenantLimits').selectAll().where('tenantId', '=', tenantId).execute()
  const of = (key: keyof OfferLimits) => rows.find((row) => row.kind === kinds[key])?.value
  const modes = of('planModes')
  const belowFee = of('belowFee')
  const count = (
    key: 'freeMonths' | 'packageDiscount' | 'publicDomains' | 'signupTokens' | 'referralAward',
  ) => of(key) ?? usualOfferLimits[key]
  return {
    planModes: modes === undefined ? usualOfferLimits.planModes : modesOf(modes),
    freeMonths: count('freeMonths'),
    packageDiscount: count('packageDiscount'),
    belowFee: belowFee === undefined ? usualOfferLimits.belowFee : belowFee === 1,
    publicDomains: count('publicDomains'),
    signupTokens: count('signupTokens'),
    referralAward: count('referralAward'),
  }
}

/** Limit changes by name; null restores the default. */
export type OfferLimitChanges = {
  readonly [Key in keyof OfferLimits]?: OfferLimits[Key] | null | undefined
}

/** Sets a tenant's offer limits. Existing offers are not affected. */
export async function writeOfferLimits(db: Db, tenantId: number, changes: OfferLimitChanges): Promise<void> {
  for (const key of offerLimitKeys) {
    const wanted = changes[key]
    if (wanted === undefined) continue
    const kind = kinds[key]
    await db.deleteFrom('tenantLimits').where('tenantId', '=', tenantId).where('kind', '=', kind).execute()
    if (wanted === null) continue
    await db
      .insertInto('tenantLimits')
      .values({ tenantId, kind, value: numberOf(wanted) })
      .execute()
  }
}

/** Modes are stored as a bit set, in the order of the contract. */
function numberOf(value: OfferLimits[keyof OfferLimits]): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return value
  return planMode.options.reduce(
    (bits, mode, index) => (value.includes(mode) ? bits | (1 << index) : bits),
    0,
  )
}

function modesOf(bits: number): PlanMode[] {
  return planMode.options.filter((_, index) => (bits & (1 << index)) !== 0)
}
