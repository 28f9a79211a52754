import { mailKinds } from '@gatehouse/contract/directory/kinds'
import { domainType } from '@gatehouse/contract/status'
import { chargeWallet } from '../../billing/charging/charge.ts'
import { post } from '../../billing/ledger/post.ts'
import type { Hasher } from '../../passwords/hasher.ts'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { provisionAll } from '../../platform/provision/provision.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { findDomain } from '../../users/addresses/domain-store.ts'
import { insertDelegation, markActive } from '../../users/delegation/delegation-store.ts'
import type { OperatorConfig } from '../operator-config.ts'
import {
  type AccountContext,
  degrade,
  makeDiscount,
  makeDomain,
  makeUser,
  plansByTitle,
} from './demo-accounts.ts'
import { demoDiscounts, demoPassword, demoUsers } from './demo-data.ts'
import { makeDemoDirectory } from './demo-directory.ts'
import { makeDemoClient } from './demo-oauth.ts'
import { makeDemoPartner } from './demo-partner.ts'
import { makeDemoPending, payDemo } from './demo-payments.ts'
import { makeDemoRooms } from './demo-rooms.ts'
import { makeDemoSignup } from './demo-signup.ts'
import { demoObjects, demoUser, insertSku, insertVatRate } from './demo-store.ts'

/** Loads the demo tenant into an empty installation. Returns false if it already exists. */
export async function loadDemo(
  db: Db,
  clock: Clock,
  hasher: Hasher,
  { config, secrets }: { readonly config: OperatorConfig; readonly secrets: Secrets },
): Promise<boolean> {
  if ((await findDomain(db, 'example.test')) !== undefined) return false
  // the only password exempt from the rules, because everyone who tries the demo uses it
  const passwordHash = await hasher.hash(demoPassword, 'background')
  await db.transaction().execute(async (trx) => {
    for (const discount of demoDiscounts) await makeDiscount(trx, systemTenant, discount)
    await makeBeta(trx)
    await makeDomain(trx, clock, 'example.test', systemTenant, domainType.public, null)
    const plans = await plansByTitle(trx, systemTenant)
    const wallets = new Map<string, string>()
    const context: AccountContext = { tenantId: systemTenant, passwordHash, config, plans, wallets }
    for (const user of demoUsers) {
      const then: Clock = { now: () => after(clock.now(), -(user.daysAgo ?? 0) * day) }
      // the reseller is created with the tenant
      if (user.role !== 'reseller') await makeUser(trx, then, user, context)
    }
    const walletOf = (email: string) => wallets.get(email) ?? ''
    const vatRateId = await insertVatRate(trx, { country: 'CH', startsOn: '2024-01-01', rate: 810 })
    await payAndCharge(trx, clock, walletOf('owner@acme.test'), { config, secrets, vatRateId })
    await degrade(trx, clock, 'degraded@example.test', walletOf('degraded@example.test'))
    for (const { email, delegateOf } of demoUsers) {
      if (delegateOf !== undefined) await makeDelegation(trx, clock, delegateOf, email)
    }
    await makeDemoDirectory(trx, clock)
    await makeDemoRooms(trx, clock, secrets)
    await makeDemoSignup(trx, clock)
    await makeDemoPartner(trx, clock, { config, secrets, passwordHash, vatRateId })
    await makeDemoClient(trx, clock)
    // the demo's objects are marked as ready, which is only true without mailboxes
    if (config.GROUPWARE_BACKEND !== 'null') await provisionDemo(trx)
  })
  return true
}

/** Gives a wallet a history: payments, a bonus, and an itemised charge for each month since the trial. */
async function payAndCharge(
  trx: Db,
  clock: Clock,
  walletId: string,
  facts: { readonly config: OperatorConfig; readonly secrets: Secrets; readonly vatRateId: string },
): Promise<void> {
  const payer = 'Olivia Berger'
  const at = (days: number): Clock => ({ now: () => after(clock.now(), -days * day) })
  const { config, secrets, vatRateId } = facts
  const pay = (days: number, amount: number) =>
    payDemo(trx, secrets, { ...facts, id: `tr_demo${days}`, walletId, amount, at: at(days).now(), payer })
  await pay(85, 10_000)
  await post(trx, at(84), { walletId, type: 'award', amount: 500, key: 'demo:bonus', text: 'award' })
  for (const days of [37, 7]) await chargeWallet(trx, walletId, { now: at(days).now() })
  await pay(5, 2_000)
  if (config.paymentProvider === 'sandbox') {
    await makeDemoPending(trx, clock, secrets, { walletId, config, vatRateId })
  }
}

/** Creates the demo's users, shared folders and resources in the groupware. */
async function provisionDemo(trx: Db): Promise<void> {
  for (const kind of mailKinds) await provisionAll(trx, kind, await demoObjects(trx, kind))
}

/** Makes one user of an account the delegate of another. */
async function makeDelegation(db: Db, clock: Clock, from: string, to: string): Promise<void> {
  const [delegator, delegatee] = [await demoUser(db, from), await demoUser(db, to)]
  const options = { mail: 'read-only', event: 'read-write', send_as: true } as const
  const id = await insertDelegation(db, clock, { tenantId: systemTenant, delegator, delegatee, options })
  if (id !== undefined) await markActive(db, id, options)
}

/**
 * Creates the beta feature, which staff can add to users. It is not on sale and doesn't restrict users who
 * lack it.
 */
async function makeBeta(db: Db): Promise<void> {
  const name = JSON.stringify({ en: 'Beta', de: 'Beta', fr: 'Bêta', it: 'Beta' })
  const description = JSON.stringify({
    en: 'Features that are still being tried out.',
    de: 'Funktionen, die noch erprobt werden.',
    fr: 'Fonctions encore à l’essai.',
    it: 'Funzioni ancora in prova.',
  })
  const price = { cost: 0, fee: 0, unitsFree: 0, period: 'monthly' } as const
  const sku = { title: 'beta', handler: 'Beta', name, description, active: false, ...price }
  await insertSku(db, { ...sku, tenantId: systemTenant })
}
