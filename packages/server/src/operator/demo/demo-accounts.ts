import { domainStatus, domainType, userStatus } from '@gatehouse/contract/status'
import { chargeWallet } from '../../billing/charging/charge.ts'
import { markDegradedReminder, markStep } from '../../billing/life-cycle/debt-store.ts'
import { writeWalletSetting } from '../../billing/wallet/setting-store.ts'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { insertDiscount } from '../../staff/money/discount-store.ts'
import { assignPackage } from '../../subscriptions/entitlements.ts'
import { findPlan, type Plan } from '../../subscriptions/plan-store.ts'
import { createDomain } from '../../users/addresses/domain-store.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { claimAddress, createUser } from '../../users/create-user.ts'
import { transition } from '../../users/user-state.ts'
import type { OperatorConfig } from '../operator-config.ts'
import type { DemoUser } from './demo-data.ts'
import { demoUser, giveDiscount } from './demo-store.ts'

const ready = userStatus.new | userStatus.active | userStatus.imapReady
const domainReady = domainStatus.active | domainStatus.confirmed | domainStatus.verified

/** Returns plans used by demo accounts, by title; an operator's own catalogue may lack them. */
export async function plansByTitle(db: Db, tenantId: number): Promise<ReadonlyMap<string, Plan>> {
  const plans = new Map<string, Plan>()
  for (const title of ['individual', 'group']) {
    const plan = await findPlan(db, tenantId, title)
    if (plan !== undefined) plans.set(title, plan)
  }
  return plans
}

/** Data for creating the accounts of a tenant; `wallets` are those of previously created owners. */
export interface AccountContext {
  readonly tenantId: number
  readonly passwordHash: string
  readonly config: OperatorConfig
  readonly plans: ReadonlyMap<string, Plan>
  readonly wallets: Map<string, string>
}

/** Creates a demo user with its subscriptions and returns the wallet of the account. */
export async function makeUser(
  db: Db,
  clock: Clock,
  user: Omit<DemoUser, 'shows'>,
  context: AccountContext,
): Promise<string> {
  const email = parseEmailAddress(user.email)
  if (email === undefined) throw new RangeError(`${user.email} is not a valid address`)
  const plan = user.plan === undefined ? undefined : context.plans.get(user.plan)
  const accountWalletId = user.account === undefined ? undefined : context.wallets.get(user.account)
  const made = await createUser(db, clock, {
    tenantId: context.tenantId,
    email,
    passwordHash: context.passwordHash,
    role: user.role,
    status: ready,
    language: 'en',
    currency: context.config.APP_CURRENCY,
    accountWalletId,
    settings: {
      first_name: user.firstName,
      last_name: user.lastName,
      organization: user.organization,
      country: 'CH',
      external_email: `${email.local}@elsewhere.test`,
      plan_id: accountWalletId === undefined ? plan?.id : undefined,
    },
  })
  for (const address of user.aliases ?? []) {
    await claimAddress(db, {
      address,
      kind: 'alias',
      objectId: made.id,
      tenantId: context.tenantId,
    })
  }
  const walletId = accountWalletId ?? made.walletId
  context.wallets.set(user.email, walletId)
  for (const item of plan?.packages ?? []) {
    if (!item.isDomain) await assignPackage(db, clock, item.id, { type: 'user', id: made.id }, walletId)
  }
  if (user.domain !== undefined) {
    const id = await makeDomain(db, clock, user.domain, context.tenantId, domainType.external, walletId)
    for (const item of plan?.packages ?? []) {
      if (item.isDomain) await assignPackage(db, clock, item.id, { type: 'domain', id }, walletId)
    }
  }
  if (user.discount !== undefined) {
    await giveDiscount(db, walletId, { tenantId: context.tenantId, percent: user.discount })
  }
  return walletId
}

export interface DemoDiscount {
  readonly code: string | null
  readonly percent: number
  readonly description: Readonly<Record<string, string>>
}

export async function makeDiscount(db: Db, tenantId: number, discount: DemoDiscount): Promise<void> {
  const { code, percent, description } = discount
  const facts = { id: newUuid(), tenantId, code, discount: percent, active: true }
  await insertDiscount(db, { ...facts, description: JSON.stringify(description) })
}

/** Degrades an account that didn't pay and owes what was charged until then. */
export async function degrade(trx: Db, clock: Clock, email: string, walletId: string): Promise<void> {
  const owed = after(clock.now(), -20 * day)
  const degraded = after(owed, 14 * day)
  await chargeWallet(trx, walletId, { now: owed })
  await chargeWallet(trx, walletId, { now: degraded, toTheDay: true })
  const owner = await demoUser(trx, email)
  await transition(trx, { now: () => degraded }, owner.id, 'degrade')
  await markStep(trx, walletId, 'degrade', degraded)
  await markDegradedReminder(trx, walletId, degraded)
  await writeWalletSetting(trx, walletId, 'degraded_for_debt', degraded.toISOString())
}

export async function makeDomain(
  db: Db,
  clock: Clock,
  namespace: string,
  tenantId: number,
  type: number,
  walletId: string | null,
): Promise<number> {
  // demo domains don't exist in the DNS, so they are not monitored
  const facts = { tenantId, namespace, type, status: domainReady, walletId, isWatched: false }
  const id = await createDomain(db, clock, facts)
  if (id === undefined) throw new RangeError(`${namespace} already exists`)
  return id
}
