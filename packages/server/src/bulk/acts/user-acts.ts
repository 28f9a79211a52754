import { type userStates as states, userStates } from '@gatehouse/contract/directory/users'
import { type DeleteParts, deleteUserIn } from '../../account-lifecycle/delete-user.ts'
import { readDeletedUsers } from '../../account-lifecycle/deleted-user-store.ts'
import { restoreProblem, restoreUserIn } from '../../account-lifecycle/restore-user.ts'
import { recordChange } from '../../directory/users/record-change.ts'
import { type ListFacts, matchingUsers } from '../../directory/users/user-list-store.ts'
import type { ResetCodes } from '../../passwords/reset-code.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import {
  Forbidden,
  type HttpError,
  type HttpError as HttpProblem,
  message,
  NotFound,
  ValidationError,
} from '../../platform/http/errors.ts'
import {
  changeSubscriptions,
  planSubscriptions,
  unitsBySku,
  type WantedSubscriptions,
} from '../../subscriptions/change-subscriptions.ts'
import { readUnits, type Unit } from '../../subscriptions/entitlement-store.ts'
import { packageError } from '../../subscriptions/packages.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import { monthlyCost } from '../../subscriptions/prices/pricing.ts'
import { pricesOfReturn } from '../../subscriptions/restore-subscriptions.ts'
import { readPackageLines, readSkus } from '../../subscriptions/sku-store.ts'
import { accountStatus, ownedUser } from '../../users/account-view/account-view.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import { holdUser } from '../../users/member-store.ts'
import { canDelete, canEditSubscriptions, canRead, type OwnedObject, sees } from '../../users/policy.ts'
import type { Retention } from '../../users/retention.ts'
import { fieldMessages, messagesOf } from '../attempt.ts'
import { canDeleteAmongMany } from '../policy.ts'
import type { Act, ActRequest, ListFilter, ObjectActs, PlannedObject } from './acts.ts'
import { membershipAct } from './membership-acts.ts'
import { passwordLinkAct } from './password-link-act.ts'
import { suspensionAct } from './suspension-acts.ts'
import { type BulkUser, readUsers } from './user-target-store.ts'

export interface UserActParts extends DeleteParts {
  readonly retention: Retention
  /** False if the installation doesn't allow changing subscriptions. */
  readonly isOffered: boolean
  readonly withLdap: boolean
  readonly codes: ResetCodes
}

/** Bulk actions on users; each follows the rules of the single call. */
export function userActs(parts: UserActParts): ObjectActs {
  const facts: ListFacts = { withLdap: parts.withLdap, retention: parts.retention }
  return {
    matching: (db, readerId, filter, limit) => matchingUsers(db, readerId, userFilter(filter), facts, limit),
    acts: {
      delete: deletion(parts),
      restore: restoration(parts),
      package: packageAct(parts),
      join: membershipAct(parts.clock, true),
      leave: membershipAct(parts.clock, false),
      suspend: suspensionAct(parts.clock, true),
      resume: suspensionAct(parts.clock, false),
      'password-link': passwordLinkAct(parts),
    },
  }
}

function userFilter({ search, status }: ListFilter) {
  const known = userStates.find((state: (typeof states)[number]) => state === status)
  if (status != null && known === undefined) throw ValidationError.at('filter', 'validation.invalid')
  return { search, status: known }
}

function deletion(parts: UserActParts): Act {
  return {
    async plan(db, { person }, ids) {
      const users = await readUsers(db, ids)
      const units = await unitsOf(db, ids)
      return users.map((user) =>
        planned(person, user, deleteProblem(person, user), () => ({ removed: units.get(user.userId) ?? [] })),
      )
    },
    begin: async (trx, _batch, person, actor) => async (id) => {
      const view = await readAccountViewIn(trx, id)
      const problem = view === undefined ? new NotFound() : deleteProblem(person, ownedUser(view))
      if (problem !== undefined) throw problem
      await deleteUserIn(trx, parts, id, actor)
    },
  }
}

/** Why a user may not be deleted in bulk; undefined if they may. */
function deleteProblem(person: Person, user: OwnedObject): HttpError | undefined {
  if (!sees(person, user)) return new NotFound()
  if (!canDelete(person, user)) return new Forbidden()
  if (canDeleteAmongMany(person, user)) return undefined
  return new Forbidden(message(user.userId === person.userId ? 'bulk.yourself' : 'bulk.owner'))
}

function restoration(parts: UserActParts): Act {
  return {
    async plan(db, { person }, ids) {
      const users = await readDeletedUsers(db, ids, parts.retention.since())
      const prices = await pricesOfReturn(
        db,
        'user',
        users.map(({ userId, walletId, deletedAt }) => ({ id: userId, walletId, deletedAt })),
      )
      return users.map((user) =>
        planned(person, user, restoreProblem(person, user), () => ({
          added: prices.get(user.userId) ?? [],
        })),
      )
    },
    begin: async (trx, _batch, person, actor) => (id) => restoreUserIn(trx, parts, person, id, actor),
  }
}

function packageAct(parts: UserActParts): Act {
  const isOffered = parts.isOffered
  return {
    async checkParams(db, tenantId, { params }) {
      const problem = await packageError(db, tenantId, params.package, 'user')
      if (problem !== undefined) throw new ValidationError({ package: problem })
    },
    async plan(db, request, ids) {
      const users = await readUsers(db, ids)
      const units = await unitsOf(db, ids)
      const wanted = await packageUnits(db, request.params.package ?? '')
      const skus = new Map<number, Awaited<ReturnType<typeof readSkus>>>()
      for (const { tenantId } of users) {
        if (!skus.has(tenantId)) skus.set(tenantId, await readSkus(db, tenantId))
      }
      return users.map((user) => {
        const had = units.get(user.userId) ?? []
        const state = { skus: skus.get(user.tenantId) ?? [], units: unitsBySku(had) }
        const plan = planSubscriptions(state, wantedOf(request, user, user.accountStatus, wanted, isOffered))
        const problem =
          packageProblem(request.person, user) ??
          (plan.errors && new ValidationError({ package: plan.errors }))
        return planned(request.person, user, problem, () => ({
          removed: plan.remove,
          added: plan.add.map(monthlyCost),
        }))
      })
    },
    async begin(trx, batch, person, actor) {
      const { package: packageId } = batch.params
      const wanted = await packageUnits(trx, typeof packageId === 'string' ? packageId : '')
      return async (id) => {
        if (!(await holdUser(trx, id))) throw new NotFound()
        await recordChange(trx, parts.clock, id, actor, async (view) => {
          const user = ownedUser(view)
          const problem = packageProblem(person, user)
          if (problem !== undefined) throw problem
          const request = wantedOf(
            { person, language: batch.language },
            user,
            accountStatus(view),
            wanted,
            isOffered,
          )
          const { tenantId } = view.user
          await changeSubscriptions(trx, parts.clock, { ...request, tenantId, walletId: view.wallet.id })
        })
      }
    },
  }
}

function packageProblem(person: Person, user: OwnedObject): HttpError | undefined {
  if (!sees(person, user)) return new NotFound()
  return canEditSubscriptions(person, user, true) ? undefined : new Forbidden()
}

function wantedOf(
  { person, language }: Pick<ActRequest, 'person' | 'language'>,
  user: OwnedObject,
  accountState: number,
  wanted: Readonly<Record<string, number>>,
  isOffered: boolean,
): Omit<WantedSubscriptions, 'tenantId'> {
  const object = { type: 'user', id: user.userId ?? 0 } as const
  return { object, wanted, actor: subscriptionRights(person, user, accountState), language, isOffered }
}

/** All subscriptions of a package. */
async function packageUnits(db: Db, packageId: string): Promise<Record<string, number>> {
  const lines = await readPackageLines(db, packageId)
  return Object.fromEntries(lines.map((line) => [line.skuId, line.qty]))
}

async function unitsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly Unit[]>> {
  return byObject(await readUnits(db, 'user', ids))
}

function byObject(units: readonly Unit[]): ReadonlyMap<number, readonly Unit[]> {
  const found = new Map<number, Unit[]>()
  for (const unit of units) {
    const known = found.get(unit.objectId)
    if (known === undefined) found.set(unit.objectId, [unit])
    else known.push(unit)
  }
  return found
}

function planned(
  person: Person,
  user: Pick<BulkUser, 'userId' | 'email' | 'walletId'> & OwnedObject,
  problem: HttpProblem | undefined,
  change: () => Pick<PlannedObject, 'removed' | 'added'>,
): PlannedObject {
  const mayKnow = sees(person, user) && canRead(person, user)
  return {
    id: user.userId,
    label: mayKnow ? user.email : String(user.userId),
    ...(mayKnow && { walletId: user.walletId }),
    ...(problem === undefined ? change() : { problems: rowMessages(problem) }),
  }
}

function rowMessages(problem: HttpProblem) {
  return problem instanceof ValidationError ? fieldMessages(problem.fields) : messagesOf(problem)
}
