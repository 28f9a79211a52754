import type { PlanMode } from '@gatehouse/contract/signup'
import type { Clock } from '../../platform/clock.ts'
import { newUuid } from '../../platform/ids.ts'
import { insertInvitation } from '../../signup/grants/invitation-store.ts'
import { insertToken } from '../../signup/grants/token-store.ts'
import { findPlan } from '../../subscriptions/plan-store.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { strongPassword } from '../factories.ts'
import type { TestApp } from '../test-app.ts'

export interface PlanFacts {
  readonly title: string
  readonly mode: PlanMode
  readonly months?: number
  readonly hidden?: boolean
  readonly tenantId?: number
  /** The plan whose packages are copied. */
  readonly like?: 'individual' | 'group'
}

/** Creates an additional plan. */
export async function makePlan(app: TestApp, facts: PlanFacts): Promise<string> {
  const { db } = app.database
  const model = await findPlan(db, 0, facts.like ?? 'individual')
  if (model === undefined) throw new Error('the catalogue lacks that plan')
  const id = newUuid()
  const name = facts.title.charAt(0).toUpperCase() + facts.title.slice(1)
  await db
    .insertInto('plans')
    .values({
      id,
      tenantId: facts.tenantId ?? 0,
      title: facts.title,
      name: JSON.stringify({ en: name }),
      description: JSON.stringify({ en: `<p>${name}</p>` }),
      mode: facts.mode,
      months: facts.months ?? 1,
      freeMonths: 0,
      hidden: facts.hidden ?? false,
    })
    .execute()
  const packages = model.packages.map((item) => ({
    planId: id,
    packageId: item.id,
    qty: 1,
    qtyMin: 0,
    qtyMax: 0,
  }))
  await db.insertInto('planPackages').values(packages).execute()
  return id
}

/** Creates a token for a plan; returns it as stored. */
export async function makeToken(
  app: TestApp,
  token: string,
  planId: string,
  end: { limit?: number; expiresAt?: Date; tenantId?: number } = {},
): Promise<string> {
  const { limit = null, expiresAt = null, tenantId = 0 } = end
  await insertToken(app.database.db, { tenantId, token, planId, limit, expiresAt, now: app.clock.now() })
  return token.toUpperCase()
}

/** Creates an open invitation; returns its id. */
export async function makeInvitation(app: TestApp, email: string, tenantId = 0): Promise<string> {
  const address = parseEmailAddress(email)
  if (address === undefined) throw new Error(`${email} is not a valid address`)
  const clock: Clock = app.clock
  return insertInvitation(app.database.db, clock, tenantId, address)
}

/** Creates a referral programme; amounts in cents. */
export async function makeProgram(
  app: TestApp,
  facts: {
    name?: string
    award?: number
    threshold?: number
    discountId?: string
    tenantId?: number
    active?: boolean
  } = {},
): Promise<string> {
  const id = newUuid()
  const now = app.clock.now()
  await app.database.db
    .insertInto('referralPrograms')
    .values({
      id,
      tenantId: facts.tenantId ?? 0,
      active: facts.active ?? true,
      name: JSON.stringify({ en: facts.name ?? 'Friends', de: 'Freunde' }),
      description: JSON.stringify({ en: 'Bring a friend.' }),
      awardAmount: facts.award ?? 500,
      paymentsThreshold: facts.threshold ?? 0,
      discountId: facts.discountId ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return id
}

/** Returns input for the last step without a first step. */
export function bareStep(login: string, facts: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ login, domain: 'example.test', password: strongPassword, password_confirmation: strongPassword },
    ...facts,
  }
}
