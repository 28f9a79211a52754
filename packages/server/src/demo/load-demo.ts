import { domainStatus, domainType, userStatus } from '@gatehouse/contract/status'
import { claimAddress, createUser } from '../accounts/create-user.ts'
import { insertDelegation, markActive } from '../accounts/delegation/delegation-store.ts'
import { parseEmailAddress } from '../accounts/email-address.ts'
import type { Config } from '../config.ts'
import { createDomain, findDomain } from '../directory/domain-store.ts'
import type { Hasher } from '../passwords/hasher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { newUuid } from '../platform/ids.ts'
import { assignPackage } from '../subscriptions/entitlements.ts'
import { findPlan, type Plan } from '../subscriptions/plans.ts'
import { systemTenant } from '../tenants/tenant.ts'
import { type DemoUser, demoDiscounts, demoPassword, demoUsers, partnerTenant } from './demo-data.ts'
import { makeDemoDirectory } from './demo-directory.ts'

const ready = userStatus.new | userStatus.active | userStatus.imapReady
const domainReady = domainStatus.active | domainStatus.confirmed | domainStatus.verified

/** Loads the demo tenant into an empty installation. Returns false when it is there already. */
export async function loadDemo(db: Db, clock: Clock, hasher: Hasher, config: Config): Promise<boolean> {
  if ((await findDomain(db, 'example.test')) !== undefined) return false
  const passwordHash = await hasher.hash(demoPassword)
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('tenants').values({ id: partnerTenant, title: 'Partner', settings: '{}' }).execute()
    await makeDiscounts(trx)
    await makeDomain(trx, clock, 'example.test', systemTenant, domainType.public, null)
    await makeDomain(trx, clock, 'partner.test', partnerTenant, domainType.public, null)
    const plans = await plansByTitle(trx)
    const wallets = new Map<string, string>()
    for (const user of demoUsers) {
      wallets.set(user.email, await makeUser(trx, clock, user, { passwordHash, config, plans, wallets }))
    }
    for (const { email, delegateOf } of demoUsers) {
      if (delegateOf !== undefined) await makeDelegation(trx, clock, delegateOf, email)
    }
    await makeDemoDirectory(trx, clock)
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
    status: ready | (user.isDegraded ? userStatus.degraded : 0),
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
  const id = await createDomain(db, clock, { tenantId, namespace, type, status: domainReady, walletId })
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
