import { domainType, userStatus } from '@gatehouse/contract/status'
import { audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import { provision } from '../platform/provision/provision.ts'
import { assignPackage } from '../subscriptions/entitlements.ts'
import type { Plan } from '../subscriptions/plan-store.ts'
import { requireWithinLimits } from '../tenants/limits.ts'
import { createDomain } from '../users/addresses/domain-store.ts'
import { AddressTaken, createUser } from '../users/create-user.ts'
import type { AccountName } from './account-name.ts'
import { setWalletDiscount } from './made-account-store.ts'

/** The initial discount of a new wallet. */
export interface WalletDiscount {
  readonly id: string
  readonly percent: number
}

export interface NewAccount {
  readonly walletId: string
  readonly tenantId: number
  readonly name: AccountName
  readonly passwordHash: string
  readonly plan: Plan
  readonly discount: WalletDiscount | undefined
  readonly externalEmail: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  /** The sign-up token that was used. */
  readonly token: string | null
  readonly country: string
  readonly currency: string
  readonly language: string
  readonly ip: string
}

/**
 * Creates domain, user, wallet and entitlements of a new account; reference api-auth §13.7. Call it inside a
 * transaction: all of it is created or nothing. Of two concurrent sign-ups for the same login or domain, one
 * succeeds and the other gets the field's error.
 */
export async function createAccount(
  db: Db,
  clock: Clock,
  account: NewAccount,
): Promise<{ userId: number; walletId: string }> {
  const { tenantId, name, plan, discount } = account
  const user = await createUser(db, clock, {
    tenantId,
    email: name.address,
    passwordHash: account.passwordHash,
    status: firstStatus(plan, discount),
    language: account.language,
    currency: account.currency,
    walletId: account.walletId,
    settings: {
      plan_id: plan.id,
      country: account.country,
      external_email: account.externalEmail,
      first_name: account.firstName,
      last_name: account.lastName,
      signup_token: account.token,
    },
  }).catch((error: unknown) => {
    throw error instanceof AddressTaken ? ValidationError.at('login', 'validation.loginexists') : error
  })
  if (discount !== undefined) {
    await setWalletDiscount(db, user.walletId, discount.id)
  }
  const domainId = await bringDomain(db, clock, account, user.walletId)
  for (const item of plan.packages) {
    if (!item.isDomain) await assignPackage(db, clock, item.id, { type: 'user', id: user.id }, user.walletId)
    else if (domainId !== undefined) {
      await assignPackage(db, clock, item.id, { type: 'domain', id: domainId }, user.walletId)
    }
  }
  await requireWithinLimits(db, user.walletId, 'plan')
  await audit(db, clock, {
    tenantId,
    objectType: 'user',
    objectId: user.id,
    event: 'user.signed-up',
    actor: { userId: user.id, email: name.address.full, ip: account.ip },
    data: { plan: plan.title, ...(discount !== undefined && { discount: discount.percent }) },
  })
  if (domainId !== undefined) await provision(db, { kind: 'domain', id: domainId })
  await provision(db, { kind: 'user', id: user.id })
  return { userId: user.id, walletId: user.walletId }
}

/**
 * Accounts that never pay are neither restricted until a payment nor locked in a plan that starts with one.
 */
function firstStatus(plan: Plan, discount: WalletDiscount | undefined): number {
  if (discount?.percent !== 100) return userStatus.new | userStatus.restricted
  return plan.mode === 'mandate' ? userStatus.new | userStatus.active : userStatus.new
}

async function bringDomain(
  db: Db,
  clock: Clock,
  account: NewAccount,
  walletId: string,
): Promise<number | undefined> {
  const { newDomain } = account.name
  if (newDomain === undefined) return undefined
  const id = await createDomain(db, clock, {
    tenantId: account.tenantId,
    namespace: newDomain,
    type: domainType.external,
    walletId,
  })
  if (id === undefined) throw ValidationError.at('domain', 'validation.domainnotavailable')
  return id
}
