import { type Actor, audit } from '../../platform/audit.ts'
import { message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { randomShortCode } from '../../platform/secrets.ts'
import { countUsableTokens, insertToken, revokeToken } from '../../signup/grants/token-store.ts'
import { readOfferLimits } from '../../tenants/offer-limit-store.ts'
import { holdTenant } from '../../tenants/tenant-store.ts'
import { readCatalogue } from './catalogue-store.ts'
import type { OfferParts } from './change-catalogue.ts'

/** Characters of a generated token. */
const tokenLength = 16

export interface NewTokens {
  readonly tenantId: number
  readonly actor: Actor
  /** A plan of the tenant in token mode. */
  readonly planId: string
  /** Token names, or how many to generate. */
  readonly tokens: readonly string[] | number
  /** Maximum accounts per token; null: unlimited. */
  readonly limit: number | null
  /** When they expire; null: never. */
  readonly expiresAt: Date | null
}

/** Creates sign-up tokens, all or none. Returns them in upper case. Throws ValidationError by field. */
export async function createTokens({ db, clock }: OfferParts, wanted: NewTokens): Promise<string[]> {
  const { tenantId, actor, planId, limit, expiresAt } = wanted
  const now = clock.now()
  if (expiresAt !== null && expiresAt <= now) throw ValidationError.at('lastDay', 'tenant-offer.day-over')
  const tokens = namesOf(wanted.tokens)
  return db.transaction().execute(async (trx) => {
    if ((await holdTenant(trx, tenantId)) === undefined) throw new NotFound()
    const plan = (await readCatalogue(trx, tenantId)).plans.find(({ id }) => id === planId)
    if (plan?.mode !== 'token') throw ValidationError.at('plan', 'tenant-offer.plan-not-by-token')
    const limits = await readOfferLimits(trx, tenantId)
    if (limits !== null) {
      const left = limits.signupTokens - (await countUsableTokens(trx, tenantId, now))
      if (tokens.length > left)
        throw ValidationError.at('count', 'tenant-offer.too-many-tokens', { left: Math.max(0, left) })
    }
    for (const token of tokens) {
      const isNew = await insertToken(trx, { tenantId, token, planId, limit, expiresAt, now })
      if (!isNew) throw ValidationError.at('tokens', 'tenant-offer.token-taken', { token })
    }
    await audit(trx, clock, {
      ...{ tenantId, objectType: 'tenant', objectId: tenantId, actor, event: 'tenant.tokens-created' },
      // not the tokens themselves: anyone who reads a valid one can sign up with it
      data: { plan: plan.title, count: tokens.length, limit, expires: expiresAt?.toISOString() ?? null },
    })
    return tokens
  })
}

function namesOf(tokens: readonly string[] | number): string[] {
  if (typeof tokens === 'number') return Array.from({ length: tokens }, () => randomShortCode(tokenLength))
  const names = tokens.map((token) => token.trim().toUpperCase())
  const wrong = names.find((name) => !/^[\w.-]{1,191}$/.test(name))
  if (wrong !== undefined)
    throw ValidationError.at('tokens', 'tenant-offer.token-invalid', { token: wrong.slice(0, 40) })
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw ValidationError.at('tokens', 'tenant-offer.token-twice', { token: twice })
  if (names.length === 0) throw new ValidationError({ tokens: message('validation.required') })
  return names
}

/** Revokes a token; accounts created with it are kept. Throws NotFound. */
export async function endToken(
  { db, clock }: OfferParts,
  { tenantId, actor }: Pick<NewTokens, 'tenantId' | 'actor'>,
  token: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await revokeToken(trx, tenantId, token, clock.now()))) throw new NotFound()
    await audit(trx, clock, {
      ...{ tenantId, objectType: 'tenant', objectId: tenantId, actor, event: 'tenant.token-revoked' },
      data: { token: token.toUpperCase() },
    })
  })
}
