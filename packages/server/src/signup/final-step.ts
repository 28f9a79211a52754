import type { ReferralOffer } from '../billing/referrals/referral-store.ts'
import { insertReferral } from '../billing/referrals/referral-store.ts'
import { vatRateOf } from '../billing/vat/vat-store.ts'
import { contextWords } from '../passwords/context-words.ts'
import { newPasswordErrors, productNames } from '../passwords/new-password.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import { type FieldMessages, HttpError, message, ValidationError } from '../platform/http/errors.ts'
import { isOutage } from '../platform/http/outage.ts'
import type { Accepted, Checked, Errors, Read } from '../platform/http/validation.ts'
import { onceUuid } from '../platform/ids.ts'
import type { TokenPair } from '../sessions/tokens/token-facts.ts'
import { findPlan, keepPlan, type Plan, readPlans } from '../subscriptions/plan-store.ts'
import { isDomainPlan } from '../subscriptions/plans.ts'
import { type AccountName, checkAccountName, nameErrors } from './account-name.ts'
import type { Checkout, Offer } from './checkout.ts'
import { isFree, periodPrice, presentCheckout } from './checkout.ts'
import { createAccount, type WalletDiscount } from './create-account.ts'
import { grantByCode } from './grants/code-grant.ts'
import type { Grant } from './grants/grant.ts'
import { grantByInvitation, openInvitation, partsIn } from './grants/invitation-grant.ts'
import type { Invitation } from './grants/invitation-store.ts'
import { referralOf } from './grants/referral.ts'
import { grantByToken } from './grants/token-grant.ts'
import { claimVoucher, usableVoucher } from './grants/voucher.ts'
import type { Voucher } from './grants/voucher-store.ts'
import { readMadeAccount } from './made-account-store.ts'
import { type AccountInput, requirePayable, type SignupParts } from './parts.ts'

type Fields = Accepted<AccountInput>

/** The validated input of the last step. */
export interface Order {
  /** Bound to the tenant that the account will belong to. */
  readonly parts: SignupParts
  readonly input: AccountInput
  readonly grant: Grant
  readonly voucher: Voucher | undefined
  readonly referral: ReferralOffer | undefined
  readonly name: AccountName
  readonly country: string
}

/** Validates the last step, in the order of the reference (api-auth §13.6); creates nothing. */
export async function checkLastStep(host: SignupParts, read: Read<AccountInput>, ip: string): Promise<Order> {
  const { body: input, found } = await read((fields, refused) => checkFields(host, fields, refused))
  const { parts, plan, invitation, wrong } = found
  const grant = await findGrant(parts, input, plan, invitation, ip)
  requirePayable(parts, grant.plan)
  const mayBringDomain = isDomainPlan(grant.plan)
  const [voucher, referral, name] = await allOf(
    { ...ownPasswordErrors(parts, input, grant), ...wrong },
    () => usableVoucher(parts, input.voucher, ip),
    () => referralOf(parts, grant, input.referral, ip),
    () => checkAccountName(parts.db, parts.tenantId, input, mayBringDomain, parts.config),
  )
  return { parts, input, grant, voucher, referral, name, country: parts.locator.country(ip) ?? 'CH' }
}

/** The field values before the grant is looked up. */
interface Applied {
  readonly parts: SignupParts
  readonly plan: Plan | undefined
  readonly invitation: Invitation | undefined
  /** Field errors that wait for the grant's, so that all are reported together. */
  readonly wrong: Errors
}

/** Throws all field errors here if there is no grant to look up. */
async function checkFields(
  host: SignupParts,
  fields: Fields,
  refused: ReadonlySet<string>,
): Promise<Checked<Applied>> {
  const invitation = fields.invitation == null ? undefined : await openInvitation(host, fields.invitation)
  const parts = invitation === undefined ? host : await partsIn(host, invitation.tenantId)
  const plan = fields.plan == null ? undefined : await findPlan(parts.db, parts.tenantId, fields.plan)
  requirePayable(parts, plan)
  const products = await productNames(parts.db, parts.config, parts.tenantId)
  const wrong = { ...passwordErrors(parts, fields, products), ...nameErrors(fields) }
  const needed = grantErrors((name) => fields[name] != null || refused.has(name), plan)
  const isGrantable = refused.size === 0 && Object.keys(needed).length === 0
  return isGrantable ? { value: { parts, plan, invitation, wrong } } : { errors: { ...wrong, ...needed } }
}

/** Runs all checks in order and throws a ValidationError with the fields of those that failed. */
async function allOf<A, B, C>(
  found: Errors,
  first: () => Promise<A>,
  second: () => Promise<B>,
  third: () => Promise<C>,
): Promise<[A, B, C]> {
  const errors: Record<string, FieldMessages> = { ...found }
  const done = async <T>(check: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      Object.assign(errors, error.fields)
      return undefined
    }
  }
  const results = [await done(first), await done(second), await done(third)]
  if (Object.keys(errors).length > 0) throw new ValidationError(errors)
  return results as [A, B, C] // none has failed, otherwise errors were thrown
}

/** Returns errors for missing fields that are needed to find the grant. */
function grantErrors(isSent: (name: keyof AccountInput) => boolean, plan: Plan | undefined): Errors {
  const required = (name: string) => ({ [name]: [message('validation.required')] })
  const isByCode = !isSent('token') && !isSent('invitation') && (isSent('code') || plan?.mode !== 'mandate')
  return {
    ...(plan === undefined && !(isByCode && isSent('code')) && required('plan')),
    ...(isByCode && !isSent('code') && required('code')),
    ...(isByCode && !isSent('short_code') && required('short_code')),
  }
}

function passwordErrors(parts: SignupParts, fields: Fields, products: readonly string[]): Errors {
  const { first_name, last_name, login, domain, password, password_confirmation: confirmation } = fields
  const person = { firstName: first_name, lastName: last_name, addresses: [`${login ?? ''}@${domain ?? ''}`] }
  const requirements = { policy: parts.systemPolicy, words: contextWords(person, products) }
  return newPasswordErrors(requirements, password, confirmation)
}

/** Personal data from the first step must not be used as a password either. */
function ownPasswordErrors(parts: SignupParts, input: AccountInput, grant: Grant): Errors {
  const { firstName, lastName, externalEmail } = grant
  const person = { firstName, lastName, addresses: [externalEmail] }
  const requirements = { policy: parts.systemPolicy, words: contextWords(person, []) }
  return newPasswordErrors(requirements, input.password, input.password_confirmation)
}

async function findGrant(
  parts: SignupParts,
  input: AccountInput,
  plan: Plan | undefined,
  invitation: Invitation | undefined,
  ip: string,
): Promise<Grant> {
  const { code, short_code: shortCode, token } = input
  if (code != null && token == null && invitation === undefined) {
    return grantByCode(parts, { code, shortCode: shortCode ?? '' }, ip)
  }
  // without a code there is a plan, otherwise the fields would have been rejected
  if (plan === undefined) throw ValidationError.at('plan', 'validation.required')
  if (invitation !== undefined) return grantByInvitation(parts, plan, invitation, input, ip)
  if (token != null) return grantByToken(parts, plan, token, ip)
  return {
    ...{ plan, token: null, hasFirstStep: false },
    ...{ externalEmail: null, firstName: null, lastName: null, referral: null },
    consume: async () => {},
    belongsTo: async () => {},
  }
}

/** The new wallet's discount: from the voucher, otherwise from the referral. */
function discountOf({
  voucher,
  referral,
}: Pick<Order, 'voucher' | 'referral'>): (WalletDiscount & { code: string | null }) | undefined {
  if (voucher !== undefined) return { id: voucher.id, percent: voucher.discount, code: voucher.code }
  return referral?.discount ? { ...referral.discount, code: null } : undefined
}

/** What a mandate plan costs; undefined for plans in other modes, which are paid from the wallet later. */
export function offerOf(order: Order): Promise<Offer | undefined> {
  const { parts, grant, country } = order
  return offerFor({ parts, plan: grant.plan, discount: discountOf(order), country })
}

async function offerFor({
  parts,
  plan,
  discount,
  country,
}: Pick<Offer, 'plan' | 'discount'> & Pick<Order, 'parts' | 'country'>): Promise<Offer | undefined> {
  if (plan.mode !== 'mandate') return undefined
  return {
    plan,
    discount,
    currency: parts.currency,
    vatRate: (await vatRateOf(parts.db, country, parts.clock.now()))?.rate,
    vatMode: parts.config.VAT_MODE === '0' ? 'included' : 'on-top',
  }
}

/** Minimum amount of a top-up, in cents. */
const leastTopUp = 100

/** A created account, and what remains to be done for the response. */
interface Made {
  readonly userId: number
  readonly walletId: string
  /** What a mandate plan costs; undefined for plans in other modes. */
  readonly offer: Offer | undefined
  /** Absent if the provider is asked first: then the tokens come with its response. */
  readonly tokens?: TokenPair
}

/**
 * Creates the account and signs its owner in; reference api-auth §13.7. In mandate mode the provider is called
 * afterwards: whatever happens there, the account is kept and its owner continues on the payment status page.
 */
export async function finish(order: Order, request: RequestFacts) {
  return answerWith(order.parts, await makeAccount(order, request), request)
}

/**
 * Continues with an account that an earlier attempt of the same request created; undefined if there is none.
 */
export async function finishMade(parts: SignupParts, read: Read<AccountInput>, request: RequestFacts) {
  const account = await readMadeAccount(parts.db, accountWallet())
  if (account === undefined) return undefined
  const { tenantId, discount, currency, country } = account
  const plan = (await readPlans(parts.db, tenantId)).find(({ id }) => id === account.planId)
  const offer = plan && {
    plan,
    // a discount without a voucher comes from the referral
    discount: discount && { ...discount, code: read().voucher == null ? null : discount.code },
    parts: { ...parts, tenantId, currency },
    country,
  }
  return answerWith(parts, { ...account, offer: offer && (await offerFor(offer)) }, request)
}

/** Returns the id of the sign-up's wallet, the same for a repeated request. */
function accountWallet(): string {
  return onceUuid('signup wallet')
}

async function makeAccount(order: Order, request: RequestFacts): Promise<Made> {
  const { parts, input, grant, voucher, referral } = order
  // a first step was already throttled
  if (!grant.hasFirstStep) {
    await parts.throttle.spend({ kind: 'signup', ip: request.ip })
  }
  const offer = await offerOf(order)
  const passwordHash = await parts.hasher.hash(input.password, request)
  return parts.db.transaction().execute(async (trx) => {
    // lock the plan before anything that deleting it locks too, to avoid a deadlock
    if (!(await keepPlan(trx, grant.plan.id))) throw ValidationError.at('plan', 'signup.plan-gone')
    await grant.consume(trx)
    if (voucher !== undefined) await claimVoucher(trx, parts.clock, voucher)
    const account = await createAccount(trx, parts.clock, {
      walletId: accountWallet(),
      tenantId: parts.tenantId,
      name: order.name,
      passwordHash,
      plan: grant.plan,
      discount: discountOf(order),
      externalEmail: grant.externalEmail,
      firstName: grant.firstName,
      lastName: grant.lastName,
      token: grant.token,
      country: order.country,
      currency: parts.currency,
      language: request.language,
      ip: request.ip,
    })
    if (referral !== undefined) await insertReferral(trx, referral.code, account.userId, parts.clock.now())
    await grant.belongsTo(trx, account.userId)
    if (!isPaidNow(offer)) {
      return { ...account, offer, tokens: await parts.tokens.beginFor(trx, account.userId, request) }
    }
    const amount = Math.max(periodPrice(offer), leastTopUp)
    await parts.mandates.prepareMandate(trx, { walletId: account.walletId, amount, balance: 0 })
    return { ...account, offer }
  })
}

function isPaidNow(offer: Offer | undefined): offer is Offer {
  return offer !== undefined && !isFree(offer)
}

async function answerWith(parts: SignupParts, made: Made, request: RequestFacts) {
  const { userId, walletId, offer } = made
  const checkout = offer && {
    ...presentCheckout(offer, request),
    ...(isPaidNow(offer) && (await handOff(parts, walletId, request))),
  }
  const begin = (trx: Db) => parts.tokens.beginFor(trx, userId, request)
  const tokens = made.tokens ?? (await parts.db.transaction().execute(begin))
  const answer = await parts.answer(userId, tokens, request)
  if (checkout === undefined) return answer
  return { ...answer, checkout, ...(answer.isLocked && { redirect: 'payment-status' }) }
}

/** Returns the payment page; undefined if the provider is unreachable. Database errors are thrown. */
async function handOff(
  parts: SignupParts,
  walletId: string,
  { language }: RequestFacts,
): Promise<Pick<Checkout, 'id' | 'redirectUrl' | 'newWindowUrl'>> {
  try {
    const { id, redirectUrl, newWindowUrl } = await parts.mandates.beginMandate(walletId, { language })
    return {
      id,
      ...(redirectUrl !== undefined && { redirectUrl }),
      ...(newWindowUrl !== undefined && { newWindowUrl }),
    }
  } catch (error) {
    if (isOutage(error)) throw error
    const level = error instanceof HttpError ? 'warn' : 'error'
    parts.log[level]({ err: error, walletId }, 'the mandate of a new account could not be begun')
    return {}
  }
}
