import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { type AccountView, ownedUser } from '../../users/account-view/account-view.ts'
import { canCreateDomains, mayBuy, type OwnedObject, sees } from '../../users/policy.ts'
import { type Domain, ownedDomain } from './domain.ts'
import { readDomain } from './domain-store.ts'

type Rule = (principal: Person, object: OwnedObject) => boolean

/**
 * The domain that a path names, for who may. Throws NotFound for one that does not exist, is deleted, or is not
 * seen by the principal, Forbidden when the rule says no.
 */
export async function requireDomain(db: Db, principal: Person, idText: string, may: Rule): Promise<Domain> {
  return require(db, principal, idText, may, (domain) => domain.deletedAt === null)
}

/** The same for a deleted domain that may still be restored. */
export async function requireDeletedDomain(
  db: Db,
  principal: Person,
  idText: string,
  may: Rule,
  oldest: Date,
): Promise<Domain> {
  return require(db, principal, idText, may, ({ deletedAt }) => deletedAt !== null && deletedAt > oldest)
}

async function require(
  db: Db,
  principal: Person,
  idText: string,
  may: Rule,
  isMeant: (domain: Domain) => boolean,
): Promise<Domain> {
  const id = parseObjectId(idText)
  const domain = id === undefined ? undefined : await readDomain(db, id)
  if (domain === undefined || !isMeant(domain) || !sees(principal, ownedDomain(domain))) throw new NotFound()
  if (!may(principal, ownedDomain(domain))) throw new Forbidden()
  return domain
}

/** Throws Forbidden for who may not bring domains to the own account. `tenantSkus`: titles of what is sold there. */
export function requireDomainsOffered(
  principal: Person,
  caller: AccountView,
  tenantSkus: ReadonlySet<string>,
): void {
  // the flag enableDomains says the same
  const isOffered =
    caller.hasDomainEntitlement || caller.plan?.hasDomain === true || !tenantSkus.has('domain-hosting')
  if (!canCreateDomains(principal, ownedUser(caller), isOffered)) throw new Forbidden()
}

/** An account that has to pay first gets no further domain. `ownerStatus`: bits of its owner. */
export function requirePaid(ownerStatus: number): void {
  if (!mayBuy(ownerStatus)) throw new Forbidden(message('domains.degraded'))
}
