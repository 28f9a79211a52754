import { domainStatus, domainType, userStatus } from '@gatehouse/contract/status'
import { claimAddress, createUser } from '../accounts/create-user.ts'
import { insertDelegation, markActive } from '../accounts/delegation/delegation-store.ts'
import { parseEmailAddress } from '../accounts/email-address.ts'
import { transition } from '../accounts/user-state.ts'
import { chargeWallet } from '../billing/charging/charge.ts'
import { post } from '../billing/ledger/post.ts'
import { markDegradedReminder, markStep } from '../billing/life-cycle/debt-store.ts'
import { writeWalletSetting } from '../billing/wallet/wallet-settings.ts'
import type { Config } from '../config.ts'
import { createDomain, findDomain } from '../directory/domain-store.ts'
import type { Hasher } from '../passwords/hasher.ts'
import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { newUuid } from '../platform/ids.ts'
import type { Secrets } from '../platform/secrets.ts'
import { assignPackage } from '../subscriptions/entitlements.ts'
import { findPlan, type Plan } from '../subscriptions/plans.ts'
import { systemTenant } from '../tenants/tenant.ts'
import { type DemoUser, demoDiscounts, demoPassword, demoUsers, partnerTenant } from './demo-data.ts'
import { makeDemoDirectory } from './demo-directory.ts'
import { makeDemoClient } from './demo-oauth.ts'
import { demoSecrets, makeDemoPayment, makeDemoPending } from './demo-payments.ts'
import { makeDemoSignup } from './demo-signup.ts'

const ready = userStatus.new | userStatus.active | userStatus.imapReady
const domainReady = domainStatus.active | domainStatus.confirmed | domainStatus.verified

/** Loads the demo tenant into an empty installation. Returns false when it is there already. */
export async function loadDemo(db: Db, clock: Clock, hasher: Hasher, config: Config): Promise<boolean> {
  if ((await findDomain(db, 'example.test')) !== undefined) return false
  const passwordHash = await hasher.hash(demoPassword)
  const secrets = await demoSecrets(config)
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('tenants').values({ id: partnerTenant, title: 'Partner', settings: '{}' }).execute()
    await makeDiscounts(trx)
    await makeDomain(trx, clock, 'example.test', systemTenant, domainType.public, null)
    await makeDomain(trx, clock, 'partner.test', partnerTenant, domainType.public, null)
    const plans = await plansByTitle(trx)
    const wallets = new Map<string, string>()
    for (const user of demoUsers) {
      const then: Clock = { now: () => after(clock.now(), -(user.daysAgo ?? 0) * day) }
      wallets.set(user.email, await makeUser(trx, then, user, { passwordHash, config, plans, wallets }))
    }
    const walletOf = (email: string) => wallets.get(email) ?? ''
    await trx
      .updateTable('tenants')
      .set({ wallet_id: walletOf('reseller@partner.test') })
      .where('id', '=', partnerTenant)
      .execute()
    await payAndCharge(trx, clock, walletOf('owner@acme.test'), { config, secrets })
    await degrade(trx, clock, 'degraded@example.test', walletOf('degraded@example.test'))
    for (const { email, delegateOf } of demoUsers) {
      if (delegateOf !== undefined) await makeDelegation(trx, clock, delegateOf, email)
    }
    await makeDemoDirectory(trx, clock)
    await makeDemoSignup(trx, clock)
    await makeDemoClient(trx, clock)
  })
  return true
}

async function plansByTitle(db: Db): Promise<ReadonlyMap<string, Plan>> {
  const plans = new Map<string, Plan>()
  for (const title of ['individual', 'group']) {
    const plan = await findPlan(db, systemTenant, title)
    if (plan !== undefined) plans.set(title, plan)
  }
  return plans
}

interface Context {
  readonly passwordHash: string
  readonly config: Config
  readonly plans: ReadonlyMap<string, Plan>
  readonly wallets: ReadonlyMap<string, string>
}

/** Creates a user of the demo with what its account holds; returns the wallet of that account. */
async function makeUser(db: Db, clock: Clock, user: DemoUser, context: Context): Promise<string> {
  const email = parseEmailAddress(user.email)
  if (email === undefined) throw new RangeError(`${user.email} is no address`)
  const plan = user.plan === undefined ? undefined : context.plans.get(user.plan)
  const accountWalletId = user.account === undefined ? undefined : context.wallets.get(user.account)
  const made = await createUser(db, clock, {
    tenantId: user.tenantId ?? systemTenant,
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
      object_id: made.id,
      tenant_id: user.tenantId ?? systemTenant,
    })
  }
  const walletId = accountWalletId ?? made.walletId
  for (const item of plan?.packages ?? []) {
    if (!item.isDomain) await assignPackage(db, clock, item.id, { type: 'user', id: made.id }, walletId)
  }
  if (user.domain !== undefined) {
    const id = await makeDomain(db, clock, user.domain, systemTenant, domainType.external, walletId)
    for (const item of plan?.packages ?? []) {
      if (item.isDomain) await assignPackage(db, clock, item.id, { type: 'domain', id }, walletId)
    }
  }
  if (user.discount !== undefined) {
    await db
      .updateTable('wallets')
      .set((eb) => ({
        discount_id: eb
          .selectFrom('discounts')
          .select('id')
          .where('tenant_id', '=', systemTenant)
          .where('discount', '=', user.discount ?? 0)
          .where('code', 'is', null),
      }))
      .where('id', '=', walletId)
      .execute()
  }
  return walletId
}

/** A wallet with a history: payments, a bonus, and a charge with details for each month since the trial. */
async function payAndCharge(
  trx: Db,
  clock: Clock,
  walletId: string,
  { config, secrets }: { readonly config: Config; readonly secrets: Secrets },
): Promise<void> {
  const at = (days: number): Clock => ({ now: () => after(clock.now(), -days * day) })
  const vatRateId = newUuid()
  const rate = { id: vatRateId, country: 'CH', starts_on: '2024-01-01', rate: 810 }
  await trx.insertInto('vat_rates').values(rate).execute()
  const pay = async (days: number, amount: number) => {
    const id = `tr_demo${days}`
    const facts = { id, walletId, amount, config, vatRateId, at: at(days).now() }
    await makeDemoPayment(trx, secrets, { ...facts, status: 'paid' })
    await post(trx, at(days), { walletId, type: 'credit', amount, key: `payment:${id}`, text: 'payment' })
  }
  await pay(85, 10_000)
  await post(trx, at(84), { walletId, type: 'award', amount: 500, key: 'demo:bonus', text: 'award' })
  for (const days of [37, 7]) await chargeWallet(trx, walletId, { now: at(days).now() })
  await pay(5, 2_000)
  if (config.paymentProvider === 'sandbox') {
    await makeDemoPending(trx, clock, secrets, { walletId, config, vatRateId })
  }
}

/** An account that did not pay, was degraded, and owes what it had until then. */
async function degrade(trx: Db, clock: Clock, email: string, walletId: string): Promise<void> {
  const owed = after(clock.now(), -20 * day)
  const degraded = after(owed, 14 * day)
  await chargeWallet(trx, walletId, { now: owed })
  await chargeWallet(trx, walletId, { now: degraded, toTheDay: true })
  const owner = await trx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await transition(trx, { now: () => degraded }, owner.id, 'degrade')
  await markStep(trx, walletId, 'degrade', degraded)
  await markDegradedReminder(trx, walletId, degraded)
  await writeWalletSetting(trx, walletId, 'degraded_for_debt', degraded.toISOString())
}

/** Lets one user of an account act for another one. */
async function makeDelegation(db: Db, clock: Clock, from: string, to: string): Promise<void> {
  const user = (email: string) =>
    db.selectFrom('users').select(['id', 'email']).where('email', '=', email).executeTakeFirstOrThrow()
  const [delegator, delegatee] = [await user(from), await user(to)]
  const options = { mail: 'read-only', event: 'read-write', send_as: true } as const
  const id = await insertDelegation(db, clock, { tenantId: systemTenant, delegator, delegatee, options })
  if (id !== undefined) await markActive(db, id, options)
}

async function makeDomain(
  db: Db,
  clock: Clock,
  namespace: string,
  tenantId: number,
  type: number,
  walletId: string | null,
): Promise<number> {
  // nothing of the demo is in the DNS of the world, so that there is nothing to look after
  const facts = { tenantId, namespace, type, status: domainReady, walletId, isWatched: false }
  const id = await createDomain(db, clock, facts)
  if (id === undefined) throw new RangeError(`${namespace} exists already`)
  return id
}

async function makeDiscounts(db: Db): Promise<void> {
  await db
    .insertInto('discounts')
    .values(
      demoDiscounts.map((discount) => ({
        id: newUuid(),
        tenant_id: systemTenant,
        code: discount.code,
        discount: discount.percent,
        description: JSON.stringify(discount.description),
        active: true,
      })),
    )
    .execute()
}
