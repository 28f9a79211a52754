import type { domainRoutes } from '@gatehouse/contract/directory/domains'
import type { Language } from '@gatehouse/contract/language'
import { domainType } from '@gatehouse/contract/status'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { type FieldMessages, Forbidden, message, ValidationError } from '../../platform/http/errors.ts'
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
import type { Errors, RawInput } from '../users/user-input.ts'
import type { DomainParts } from './domain-parts.ts'
import { holdDomain } from './domain-store.ts'
import { reviveDomain } from './restore-domain.ts'

type Context = LateContext<(typeof domainRoutes)['POST /api/v4/domains']>

/** Who brings a domain, and how the answer speaks to them. */
export interface Bringer {
  readonly language: Language
  readonly actor: Actor
  /** Why, for the record. */
  readonly comment?: string
}

/** Brings a domain to the account that the caller belongs to; reference api-objects §8.2. Returns its number. */
export async function addDomain(parts: DomainParts, caller: AccountView, context: Context): Promise<number> {
  const { principal, language } = context
  const by = { language, actor: actorOf(principal, context) }
  return bringDomain(parts, caller, context.input(), context.read, by)
}

/**
 * The same for who is not signed in. A domain that the account deleted and whose name is not released comes back as it
 * was, instead of being destroyed: same number, same settings and same proof, which is looked for anew. `read` parses the
 * input. Throws ValidationError, Forbidden.
 */
export async function bringDomain(
  parts: Pick<DomainParts, 'db' | 'clock' | 'config'>,
  caller: AccountView,
  input: RawInput,
  read: (found: Errors) => unknown,
  by: Bringer,
): Promise<number> {
  const { db } = parts
  const { tenantId } = caller.user
  const namespace = await readNamespace(parts, input.namespace, read)
  const walletId = caller.wallet.id
  const problem = await availability(db, namespace, walletId)
  if (problem !== 'free' && problem !== 'own') throw ValidationError.at('namespace', problem)
  const packageId = typeof input.package === 'string' ? input.package : undefined
  const wrong = await packageError(db, tenantId, packageId, 'domain')
  if (wrong !== undefined || packageId === undefined) {
    throw new ValidationError({ package: wrong ?? message('subscriptions.package-required') })
  }
  return db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    // the account may have been deleted since it was looked at
    if (!(await holdUser(trx, caller.owner?.id ?? caller.user.id))) throw new Forbidden()
    const id = await bring(trx, parts, { namespace, tenantId, walletId }, by)
    await assignPackage(trx, parts.clock, packageId, { type: 'domain', id }, walletId).catch(refuseInactive)
    await requireWithinCeiling(trx, walletId, 'package', by.language)
    await provision(trx, { kind: 'domain', id })
    return id
  })
}

/** The wanted name in its canonical form. Throws ValidationError for what is no name that one can bring. */
async function readNamespace(
  parts: Pick<DomainParts, 'db' | 'config'>,
  given: unknown,
  read: (found: Errors) => unknown,
): Promise<string> {
  const text = typeof given === 'string' ? given : ''
  const name = normaliseDomain(text)
  const isOwnable = name !== undefined && isOwnableDomain(name, await takenNames(parts.db, parts.config))
  read(isOwnable ? {} : { namespace: nameProblem(given) })
  if (name === undefined) throw new RangeError('was checked')
  return name
}

function nameProblem(given: unknown): FieldMessages {
  return [message(given == null ? 'validation.required' : 'validation.domaininvalid')]
}

/** `own`: the account itself deleted it and may have it back. */
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

/** Somebody else may have been a moment faster. */
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

/** What is bought may have been taken off sale since it was checked. */
function refuseInactive(error: unknown): never {
  if (error instanceof SkuInactive) throw ValidationError.at('package', 'subscriptions.package-inactive')
  throw error
}
