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
 * Returns the domain named by a path if the rule allows it. Throws NotFound if it does not exist, is deleted
 * or is not visible to the principal, and Forbidden if the rule denies access.
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

/**
 * Throws Forbidden if the user may not add domains to their own account. `tenantSkus`: titles of the SKUs the
 * tenant sells.
 */
export function requireDomainsOffered(
  principal: Person,
  caller: AccountView,
  tenantSkus: ReadonlySet<string>,
): void {
  // same as the flag enableDomains
  const isOffered =
    caller.hasDomainEntitlement || caller.plan?.hasDomain === true || !tenantSkus.has('domain-hosting')
  if (!canCreateDomains(principal, ownedUser(caller), isOffered)) throw new Forbidden()
}

/** Rejects further domains for an account that has to pay first. `ownerStatus`: status bits of its owner. */
export function requirePaid(ownerStatus: number): void {
  if (!mayBuy(ownerStatus)) throw new Forbidden(message('domains.degraded'))
}
