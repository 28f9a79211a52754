import { writeProgram } from '../../billing/referrals/program-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { insertInvitation } from '../../signup/grants/invitation-store.ts'
import { insertToken } from '../../signup/grants/token-store.ts'
import { findPlan } from '../../subscriptions/plan-store.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { demoInvitation, demoPlans, demoProgram, demoToken } from './demo-data.ts'
import { insertPlan } from './demo-store.ts'

/** Creates a plan of each mode, a token, an open invitation and a referral programme. */
export async function makeDemoSignup(trx: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  for (const plan of demoPlans) {
    const id = await makePlan(trx, plan)
    if (id === undefined || plan.mode !== 'token') continue
    const end = { limit: null, expiresAt: null }
    await insertToken(trx, { tenantId: systemTenant, token: demoToken, planId: id, ...end, now })
  }
  const invited = parseEmailAddress(demoInvitation)
  if (invited !== undefined) await insertInvitation(trx, clock, systemTenant, invited)
  const { name, description, award, threshold } = demoProgram
  const program = { ...{ name, description, award, threshold }, discountId: null, active: true, revision: 0 }
  await writeProgram(trx, systemTenant, { ...program, id: newUuid() }, now)
}

/**
 * Creates a plan with the packages of another one, unless the operator's catalogue lacks that one or has both.
 */
async function makePlan(trx: Db, plan: (typeof demoPlans)[number]): Promise<string | undefined> {
  const model = await findPlan(trx, systemTenant, plan.like)
  const isTaken = (await findPlan(trx, systemTenant, plan.title)) !== undefined
  if (model === undefined || isTaken) return undefined
  const packages = model.packages.map((item) => ({
    packageId: item.id,
    qty: item.qty,
    qtyMin: item.qtyMin,
    qtyMax: 0,
  }))
  const facts = {
    ...{ tenantId: systemTenant, title: plan.title, mode: plan.mode, hidden: false },
    ...{ months: plan.months, freeMonths: plan.freeMonths, position: plan.position },
    name: JSON.stringify(plan.name),
    description: JSON.stringify(plan.description),
  }
  return insertPlan(trx, facts, packages)
}
