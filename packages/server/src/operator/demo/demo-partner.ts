import { chargeWallet } from '../../billing/charging/charge.ts'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  completeInvitation,
  insertInvitation,
  invitationBelongsTo,
  invitationStatus,
  markInvitation,
} from '../../signup/grants/invitation-store.ts'
import { createTenant } from '../../staff/tenants/create-tenant.ts'
import { markConfirmed } from '../../tenants/name-store.ts'
import { writeTenantSettings } from '../../tenants/tenant-store.ts'
import { suspendUser } from '../../users/account-state.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { writeSettings } from '../../users/setting-store.ts'
import type { OperatorConfig } from '../operator-config.ts'
import { type AccountContext, degrade, makeDiscount, makeUser, plansByTitle } from './demo-accounts.ts'
import {
  type DemoCustomer,
  partner,
  partnerCharges,
  partnerCustomers,
  partnerDiscount,
  partnerInvitations,
} from './demo-partner-data.ts'
import { payDemo } from './demo-payments.ts'
import { backdateTenant, demoUser } from './demo-store.ts'

interface Parts {
  readonly config: OperatorConfig
  readonly secrets: Secrets
  readonly passwordHash: string
  readonly vatRateId: string
}

/**
 * Creates the reseller's tenant: customers in every state, charges for past months with the resulting
 * settlements and tenant wallet, and invitations in every state.
 */
export async function makeDemoPartner(trx: Db, clock: Clock, parts: Parts): Promise<void> {
  const ago = (days: number): Clock => ({ now: () => after(clock.now(), -days * day) })
  const tenantId = await makeTenant(trx, ago(partner.daysAgo), parts)
  const { config, passwordHash } = parts
  const plans = await plansByTitle(trx, tenantId)
  const context: AccountContext = { tenantId, passwordHash, config, plans, wallets: new Map() }
  for (const customer of partnerCustomers) await makeUser(trx, ago(customer.daysAgo ?? 0), customer, context)
  await payAndCharge(trx, ago, context.wallets, parts)
  for (const customer of partnerCustomers) {
    if (customer.fate === 'degraded') {
      await degrade(trx, clock, customer.email, context.wallets.get(customer.email) ?? '')
    }
    if (customer.fate === 'suspended') await suspend(trx, ago(5), customer)
  }
  await invite(trx, ago, tenantId)
}

async function makeTenant(trx: Db, then: Clock, { config, passwordHash }: Parts): Promise<number> {
  const reseller = parseEmailAddress(partner.reseller)
  if (reseller === undefined) throw new RangeError(`${partner.reseller} is not a valid address`)
  const url = new URL(config.APP_URL)
  url.hostname = `${partner.host}.${url.hostname}`
  const id = await createTenant(trx, then, {
    title: partner.title,
    reseller,
    passwordHash,
    domain: partner.domain,
    url: { origin: url.origin, host: url.hostname },
    language: 'en',
    currency: config.APP_CURRENCY,
  })
  // the host is below the demo's own, so nothing has to be proved
  await markConfirmed(trx, then, { tenantId: id, name: url.hostname }, 'staff')
  await backdateTenant(trx, id, then.now())
  await writeTenantSettings(trx, id, { 'app.theme': partner.theme })
  await writeSettings(trx, await idOf(trx, partner.reseller), {
    first_name: 'Rita',
    last_name: 'Partner',
    country: 'CH',
    external_email: 'reseller@elsewhere.test',
  })
  await makeDiscount(trx, id, { ...partnerDiscount, code: null })
  return id
}

/** Books payments and charges chronologically, like the ledger. */
async function payAndCharge(
  trx: Db,
  ago: (days: number) => Clock,
  wallets: ReadonlyMap<string, string>,
  { config, secrets, vatRateId }: Parts,
): Promise<void> {
  const owners = partnerCustomers.filter(({ account }) => account === undefined)
  const acts = owners.flatMap(({ email, firstName, lastName, payments = [], fate }) => {
    const walletId = wallets.get(email) ?? ''
    const pay = payments.map(([days, amount]) => {
      const id = `tr_partner${days}`
      const facts = { id, walletId, amount, config, vatRateId, at: ago(days).now() }
      const payer = `${firstName} ${lastName}`
      return { days, act: () => payDemo(trx, secrets, { ...facts, payer }) }
    })
    // accounts that didn't pay were charged until they were degraded
    const charges = fate === 'degraded' ? partnerCharges.filter((days) => days > 30) : partnerCharges
    const charge = charges.map((days) => ({
      days,
      act: async () => void (await chargeWallet(trx, walletId, { now: ago(days).now() })),
    }))
    return [...pay, ...charge]
  })
  for (const { act } of acts.sort((left, right) => right.days - left.days)) await act()
}

async function suspend(trx: Db, then: Clock, { email }: DemoCustomer): Promise<void> {
  const reseller = await idOf(trx, partner.reseller)
  await suspendUser(trx, then, await idOf(trx, email), {
    actor: { userId: reseller, email: partner.reseller },
    reason: 'abuse',
    comment: 'Sent mail to a bought list of addresses',
  })
}

async function invite(trx: Db, ago: (days: number) => Clock, tenantId: number): Promise<void> {
  const write = (email: string, then: Clock) => {
    const address = parseEmailAddress(email)
    if (address === undefined) throw new RangeError(`${email} is not a valid address`)
    return insertInvitation(trx, then, tenantId, address)
  }
  for (const { email, state, daysAgo, error } of partnerInvitations) {
    const id = await write(email, ago(daysAgo))
    if (state !== 'new') await markInvitation(trx, ago(daysAgo), id, invitationStatus[state], error)
  }
  for (const { email, daysAgo = 0 } of partnerCustomers.filter(({ isInvited }) => isInvited === true)) {
    const id = await write(email.replace(partner.domain, 'elsewhere.test'), ago(daysAgo + 2))
    await completeInvitation(trx, id, ago(daysAgo).now())
    await invitationBelongsTo(trx, id, await idOf(trx, email))
  }
}

async function idOf(trx: Db, email: string): Promise<number> {
  return (await demoUser(trx, email)).id
}
