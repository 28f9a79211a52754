import { domainStatus, domainType, userStatus } from '@gatehouse/contract/status'
import { Secret, TOTP } from 'otpauth'
import { post } from '../billing/ledger/post.ts'
import type { Role } from '../platform/http/callers/principal.ts'
import { newUuid } from '../platform/ids.ts'
import { factorPurpose } from '../sessions/second-factor/totp.ts'
import { assignPackage } from '../subscriptions/entitlements.ts'
import { findPlan, readPlans } from '../subscriptions/plan-store.ts'
import { writeTenantSettings } from '../tenants/tenant-store.ts'
import { createDomain } from '../users/addresses/domain-store.ts'
import { parseEmailAddress } from '../users/addresses/email-address.ts'
import { claimAddress, createUser } from '../users/create-user.ts'
import type { TestApp } from './test-app.ts'

export interface UserFacts {
  readonly email?: string
  readonly password?: string
  readonly role?: Role
  readonly status?: number
  readonly tenantId?: number
  readonly settings?: Record<string, string>
  /** Wallet of the account to join. */
  readonly walletId?: string
  /** Title of the plan; null for none. */
  readonly plan?: string | null
}

export interface MadeUser {
  readonly id: number
  readonly email: string
  readonly password: string
  readonly walletId: string
}

/** A password that meets every rule, for calls that set one. */
export const strongPassword = 'tulip-anchor-42'

let counter = 0

/** Hashing is slow by design; most test users share a password. */
const hashes = new Map<string, Promise<string>>()

function hashOf(app: TestApp, password: string): Promise<string> {
  const hash = hashes.get(password) ?? app.hasher.hash(password, 'background')
  hashes.set(password, hash)
  return hash
}

/** Creates a ready user with mailbox and own account, unless overridden. */
export async function makeUser(app: TestApp, facts: UserFacts = {}): Promise<MadeUser> {
  const text = facts.email ?? `user${++counter}@example.test`
  const email = parseEmailAddress(text)
  if (email === undefined) throw new Error(`${text} is not a valid address`)
  // not validated as a new password: only sign-in reads it
  const password = facts.password ?? 'simple123'
  const { db } = app.database
  const planTitle = facts.plan === undefined ? 'individual' : facts.plan
  const plan = planTitle === null ? undefined : await findPlan(db, 0, planTitle)
  const passwordHash = await hashOf(app, password)
  return db.transaction().execute(async (trx) => {
    const user = await createUser(trx, app.clock, {
      tenantId: facts.tenantId ?? 0,
      email,
      passwordHash,
      role: facts.role,
      status: facts.status ?? userStatus.new | userStatus.active | userStatus.imapReady,
      language: 'en',
      currency: 'CHF',
      ...(facts.walletId !== undefined && { accountWalletId: facts.walletId }),
      settings: { country: 'CH', ...(plan && { plan_id: plan.id }), ...facts.settings },
    })
    const walletId = facts.walletId ?? user.walletId
    for (const item of plan?.packages ?? []) {
      if (!item.isDomain)
        await assignPackage(trx, app.clock, item.id, { type: 'user', id: user.id }, walletId)
    }
    return { id: user.id, email: email.full, password, walletId: user.walletId }
  })
}

export async function makeDomain(
  app: TestApp,
  namespace: string,
  facts: { type?: number; status?: number; walletId?: string; tenantId?: number } = {},
): Promise<number> {
  const { db } = app.database
  const id = await createDomain(db, app.clock, {
    tenantId: facts.tenantId ?? 0,
    namespace,
    type: facts.type ?? domainType.public,
    status: facts.status ?? domainStatus.active | domainStatus.confirmed | domainStatus.verified,
    walletId: facts.walletId ?? null,
  })
  if (id === undefined) throw new Error(`${namespace} already exists`)
  const hosting = (await readPlans(db, 0)).flatMap((plan) => plan.packages).find((item) => item.isDomain)
  if (facts.walletId !== undefined && hosting !== undefined) {
    await assignPackage(db, app.clock, hosting.id, { type: 'domain', id }, facts.walletId)
  }
  return id
}

export async function makeDiscount(
  app: TestApp,
  facts: {
    code?: string
    discount: number
    active?: boolean
    tenantId?: number
    description?: Record<string, string>
  },
): Promise<string> {
  const id = newUuid()
  await app.database.db
    .insertInto('discounts')
    .values({
      id,
      tenantId: facts.tenantId ?? 0,
      code: facts.code ?? null,
      discount: facts.discount,
      description: JSON.stringify(facts.description ?? { en: `${facts.discount} % off` }),
      active: facts.active ?? true,
    })
    .execute()
  return id
}

export async function makeTenant(app: TestApp, id: number): Promise<number> {
  await app.database.db
    .insertInto('tenants')
    .values({ id, title: `tenant ${id}`, settings: '{}' })
    .execute()
  return id
}

/** Gives a tenant a verified host, and other settings. */
export async function makeTenantHost(
  app: TestApp,
  id: number,
  url: string,
  settings: Record<string, string> = {},
): Promise<void> {
  const { db } = app.database
  const now = app.clock.now()
  await writeTenantSettings(db, id, { 'app.public_url': url, ...settings })
  await db
    .insertInto('tenantNames')
    .values({
      ...{ tenantId: id, name: new URL(url).hostname, isHost: true, claimedAt: now },
      ...{ confirmedAt: now, confirmedBy: 'dns' },
    })
    .execute()
}

/** Signs in and returns the response body; fails the test if that is rejected. */
export async function signInAs(app: TestApp, user: Pick<MadeUser, 'email' | 'password'>) {
  const { status, body } = await app.call('POST /api/auth/login', {
    body: { email: user.email, password: user.password },
  })
  if (status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(body)}`)
  return body as { access_token: string; refresh_token: string; id: number }
}

/** Gives a user an alias. */
export async function makeAlias(app: TestApp, user: Pick<MadeUser, 'id'>, address: string): Promise<void> {
  await claimAddress(app.database.db, { address, kind: 'alias', objectId: user.id, tenantId: 0 })
}

/** Makes a user a controller of a wallet's account. */
export async function makeController(app: TestApp, user: Pick<MadeUser, 'id'>, walletId: string) {
  await app.database.db.insertInto('walletControllers').values({ userId: user.id, walletId }).execute()
}

/** Creates a delegation that the groupware already knows. */
export async function makeDelegation(
  app: TestApp,
  delegator: Pick<MadeUser, 'id'>,
  delegatee: Pick<MadeUser, 'id'>,
): Promise<void> {
  const now = app.clock.now()
  await app.database.db
    .insertInto('delegations')
    .values({
      id: newUuid(),
      tenantId: 0,
      delegatorId: delegator.id,
      delegateeId: delegatee.id,
      options: JSON.stringify({ mail: 'read-write', send_as: true }),
      status: 2,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
}

/** Credits a wallet, or debits it if `cents` is negative, in the ledger only. */
export async function giveMoney(app: TestApp, walletId: string, cents: number): Promise<void> {
  await post(app.database.db, app.clock, {
    walletId,
    type: cents < 0 ? 'debit' : 'credit',
    amount: Math.abs(cents),
    key: `test:${newUuid()}`,
    text: cents < 0 ? 'opening' : 'payment',
  })
}

/** Marks a user as deleted, as staff or an owner would. */
export async function deleteUser(app: TestApp, user: Pick<MadeUser, 'id'>): Promise<void> {
  await app.database.db
    .updateTable('users')
    .set({ deletedAt: app.clock.now() })
    .where('id', '=', user.id)
    .execute()
}

/** Sets the status bits of a user. */
export async function setStatus(app: TestApp, user: Pick<MadeUser, 'id'>, status: number): Promise<void> {
  await app.database.db.updateTable('users').set({ status }).where('id', '=', user.id).execute()
}

/** Makes every job due, including waiting retries. */
export async function jobsDue(app: TestApp): Promise<void> {
  await app.database.pool.query(
    `update graphile_worker._private_jobs set run_at = now() - interval '1 second'`,
  )
}

/**
 * Gives a user a second factor; the returned function generates the code of a given number of steps from now.
 */
export async function makeTotp(
  app: TestApp,
  user: Pick<MadeUser, 'id'>,
): Promise<(steps?: number) => string> {
  const secret = new Secret({ size: 20 })
  await app.database.db
    .insertInto('secondFactors')
    .values({
      id: newUuid(),
      userId: user.id,
      kind: 'totp',
      label: 'phone',
      secret: app.secrets.encrypt(factorPurpose, secret.base32),
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
      active: true,
      lastStep: null,
      createdAt: app.clock.now(),
    })
    .execute()
  return (steps = 0) =>
    new TOTP({ secret }).generate({ timestamp: app.clock.now().getTime() + steps * 30_000 })
}
