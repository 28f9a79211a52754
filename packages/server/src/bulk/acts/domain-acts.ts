import { objectStates } from '@gatehouse/contract/directory/directory'
import { DomainNotEmpty, deleteDomainIn } from '../../directory/domains/delete-domain.ts'
import { type Domain, isPublicDomain, ownedDomain } from '../../directory/domains/domain.ts'
import { type DomainListContext, matchingDomains } from '../../directory/domains/domain-list-store.ts'
import { isEmptyDomain, readDomain, readDomains } from '../../directory/domains/domain-store.ts'
import { restoreDomainIn } from '../../directory/domains/restore-domain.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, type HttpError, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { readUnits } from '../../subscriptions/entitlement-store.ts'
import { pricesOfReturn, problemsOfReturn } from '../../subscriptions/restore-subscriptions.ts'
import { canDelete, canRead, canRestore, mayBuy, sees } from '../../users/policy.ts'
import { messagesOf } from '../attempt.ts'
import type { Act, ListFilter, ObjectActs, PlannedObject } from './acts.ts'
import { deletedOnes, type ObjectActParts } from './object-acts.ts'

type Parts = Pick<ObjectActParts, 'clock' | 'retention' | 'withLdap'>

/** Bulk actions on domains; each follows the rules of the single call. */
export function domainActs(parts: Parts): ObjectActs {
  const { clock, retention, withLdap } = parts
  return {
    matching(db, readerId, filter, limit) {
      const context: DomainListContext = { now: clock.now(), withLdap, retention: retention.days }
      return matchingDomains(db, readerId, domainFilter(filter), context, limit)
    },
    acts: { delete: deletion(parts), restore: restoration(parts) },
  }
}

function domainFilter({ search, status }: ListFilter) {
  const known = objectStates.find((state) => state === status)
  if (status != null && known === undefined) throw ValidationError.at('filter', 'validation.invalid')
  return { search, status: known }
}

function deletion({ clock }: Parts): Act {
  return {
    async plan(db, { person }, ids) {
      const units = await readUnits(db, 'domain', ids)
      const found: PlannedObject[] = []
      for (const domain of await readDomains(db, ids)) {
        const problem = deleteProblem(person, domain) ?? (await usedProblem(db, domain))
        const removed = units.filter((unit) => unit.objectId === domain.id)
        found.push(planned(person, domain, problem, { removed }))
      }
      return found
    },
    begin: async (trx, _batch, person, actor) => async (id) => {
      const domain = await readDomain(trx, id)
      const problem = domain === undefined ? new NotFound() : deleteProblem(person, domain)
      if (domain === undefined || problem !== undefined) throw problem ?? new NotFound()
      await deleteDomainIn(trx, clock, domain, actor)
    },
  }
}

function deleteProblem(person: Person, domain: Domain): HttpError | undefined {
  if (domain.deletedAt !== null || !sees(person, ownedDomain(domain))) return new NotFound()
  return canDelete(person, ownedDomain(domain)) ? undefined : new Forbidden()
}

async function usedProblem(db: Db, domain: Domain): Promise<HttpError | undefined> {
  const isFree = !isPublicDomain(domain) && (await isEmptyDomain(db, domain.namespace))
  return isFree ? undefined : new DomainNotEmpty()
}

function restoration({ clock, retention }: Parts): Act {
  const problemOf = (person: Person, domain: Domain): HttpError | undefined => {
    const isLate = domain.deletedAt === null || domain.deletedAt <= retention.since()
    if (isLate || !sees(person, ownedDomain(domain))) return new NotFound()
    if (!canRestore(person, ownedDomain(domain))) return new Forbidden()
    return mayBuy(domain.ownerStatus ?? 0) ? undefined : new Forbidden(message('domains.degraded'))
  }
  return {
    async plan(db, { person }, ids) {
      const found = (await readDomains(db, ids)).map((domain) => ({
        domain,
        problem: problemOf(person, domain),
      }))
      const deleted = (problems: readonly (HttpError | undefined)[]) =>
        deletedOnes(found.filter((_, index) => problems[index] === undefined).map(({ domain }) => domain))
      const gone = await problemsOfReturn(db, 'domain', deleted(found.map(({ problem }) => problem)))
      const problems = found.map(({ domain, problem }) => problem ?? gone.get(domain.id))
      const prices = await pricesOfReturn(db, 'domain', deleted(problems))
      return found.map(({ domain }, index) =>
        planned(person, domain, problems[index], { added: prices.get(domain.id) ?? [] }),
      )
    },
    begin: async (trx, _batch, person, actor) => async (id) => {
      const domain = await readDomain(trx, id)
      const problem = domain === undefined ? new NotFound() : problemOf(person, domain)
      if (domain === undefined || problem !== undefined) throw problem ?? new NotFound()
      await restoreDomainIn(trx, clock, domain, actor)
    },
  }
}

function planned(
  person: Person,
  domain: Domain,
  problem: HttpError | undefined,
  change: Pick<PlannedObject, 'removed' | 'added'>,
): PlannedObject {
  const owned = ownedDomain(domain)
  const mayKnow = sees(person, owned) && canRead(person, owned)
  return {
    id: domain.id,
    label: mayKnow ? domain.namespace : String(domain.id),
    ...(mayKnow && domain.walletId !== null && { walletId: domain.walletId }),
    ...(problem === undefined ? change : { problems: messagesOf(problem) }),
  }
}
