import type { domainRoutes, newDomainInput } from '@gatehouse/contract/directory/domains'
import type { Language } from '@gatehouse/contract/language'
import { domainType } from '@gatehouse/contract/status'
import type { z } from 'zod'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { Forbidden, message, ValidationError } from '../../platform/http/errors.ts'
import type { Checked, Read } from '../../platform/http/validation.ts'
import { provision } from '../../platform/provision/provision.ts'
import { requireWithinCeiling } from '../../subscriptions/ceiling.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { assignPackage, SkuInactive } from '../../subscriptions/entitlements.ts'
import { packageError } from '../../subscriptions/packages.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import { isOwnableDomain, normaliseDomain } from '../../users/addresses/domain-name.ts'
import { createDomain, findDomain, takenNames } from '../../users/addresses/domain-store.ts'
import { holdUser } from '../../users/member-store.ts'
import { enqueueDomainKeys } from './dns/domain-keys.ts'
import type { DomainParts } from './domain-parts.ts'
import { holdDomain } from './domain-store.ts'
import { reviveDomain } from './restore-domain.ts'

type Context = LateContext<(typeof domainRoutes)['POST /api/v4/domains']>

/** Who adds a domain, and the language of the response. */
export interface Bringer {
  readonly language: Language
  readonly actor: Actor
  /** Reason for the audit log. */
  readonly comment?: string
}

/** A validated domain to be added. */
export interface CheckedDomain {
  readonly namespace: string
  readonly packageId: string
}

type NewDomain = z.output<typeof newDomainInput>

/** Adds a domain to the caller's account; reference api-objects §8.2. Returns its id. */
export async function addDomain(parts: DomainParts, caller: AccountView, context: Context): Promise<number> {
  const { principal, language } = context
  const domain = await checkDomain(parts, caller, context.read)
  return bringDomain(parts, caller, domain, { language, actor: actorOf(principal, context) })
}

/** Validates the name, then the package. Throws ValidationError. */
export async function checkDomain(
  parts: Pick<DomainParts, 'db' | 'config'>,
  caller: AccountView,
  read: Read<NewDomain>,
): Promise<CheckedDomain> {
  const { db } = parts
  const { body, found: namespace } = await read((fields) => checkNamespace(parts, fields.namespace))
  const problem = await availability(db, namespace, caller.wallet.id)
  if (problem !== 'free' && problem !== 'own') throw ValidationError.at('namespace', problem)
  const packageId = body.package
  const wrong = await packageError(db, caller.user.tenantId, packageId, 'domain')
  if (wrong !== undefined || packageId == null) {
    throw new ValidationError({ package: wrong ?? message('subscriptions.package-required') })
  }
  return { namespace, packageId }
}

/**
 * Adds a validated domain. If the account deleted the domain and its name is not released yet, the domain is
 * restored with the same id, settings and proof of ownership, which is checked again. Throws ValidationError,
 * Forbidden.
 */
export async function bringDomain(
  parts: Pick<DomainParts, 'db' | 'clock'>,
  caller: AccountView,
  { namespace, packageId }: CheckedDomain,
  by: Bringer,
): Promise<number> {
  const { db } = parts
  const { tenantId } = caller.user
  const walletId = caller.wallet.id
  return db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    // the account may have been deleted since it was read
    if (!(await holdUser(trx, caller.owner?.id ?? caller.user.id))) throw new Forbidden()
    const id = await bring(trx, parts, { namespace, tenantId, walletId }, by)
    await assignPackage(trx, parts.clock, packageId, { type: 'domain', id }, walletId).catch(refuseInactive)
    await requireWithinCeiling(trx, walletId, 'package', by.language)
    await provision(trx, { kind: 'domain', id })
    await enqueueDomainKeys(trx, [id])
    return id
  })
}

/** Returns the name in canonical form if it can be added. */
async function checkNamespace(
  parts: Pick<DomainParts, 'db' | 'config'>,
  text: string | null | undefined,
): Promise<Checked<string>> {
  if (text == null) return { errors: { namespace: [message('validation.required')] } }
  const name = normaliseDomain(text)
  const isOwnable = name !== undefined && isOwnableDomain(name, await takenNames(parts.db, parts.config))
  return isOwnable ? { value: name } : { errors: { namespace: [message('validation.domaininvalid')] } }
}

/** `own`: the account deleted the domain itself and may restore it. */
async function availability(
  db: Db,
  namespace: string,
  walletId: string,
): Promise<'free' | 'own' | 'validation.domainnotavailable'> {
  const found = await findDomain(db, namespace)
  if (found === undefined) return 'free'
  return found.deletedAt !== null && found.walletId === walletId && !found.isPublic
    ? 'own'
    : 'validation.domainnotavailable'
}

/** Handles a concurrent request that took the name first. */
async function bring(
  trx: Db,
  parts: Pick<DomainParts, 'clock'>,
  domain: { readonly namespace: string; readonly tenantId: number; readonly walletId: string },
  { actor, comment }: Bringer,
): Promise<number> {
  const type = domainType.external
  const id = await createDomain(trx, parts.clock, { ...domain, type })
  if (id !== undefined) {
    const data = { after: { namespace: domain.namespace } }
    const event = 'domain.created'
    const { tenantId } = domain
    const why = comment === undefined ? {} : { comment }
    await audit(trx, parts.clock, {
      tenantId,
      objectType: 'domain',
      objectId: id,
      event,
      actor,
      ...why,
      data,
    })
    return id
  }
  const old = await findDomain(trx, domain.namespace)
  const held = old && (await holdDomain(trx, old.id))
  const problem = await availability(trx, domain.namespace, domain.walletId)
  if (held === undefined || problem !== 'own') {
    throw ValidationError.at('namespace', 'validation.domainnotavailable')
  }
  await reviveDomain(trx, parts, held, actor, comment)
  return held.id
}

/** A SKU may have been taken off sale since it was validated. */
function refuseInactive(error: unknown): never {
  if (error instanceof SkuInactive) throw ValidationError.at('package', 'subscriptions.package-inactive')
  throw error
}
