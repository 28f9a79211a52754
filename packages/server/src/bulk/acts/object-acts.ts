import { objectStates } from '@gatehouse/contract/directory/directory'
import type { Language } from '@gatehouse/contract/language'
import { nameTaken } from '../../directory/objects/create-object.ts'
import { endObject } from '../../directory/objects/end-object.ts'
import { type DirectoryKind, type DirectoryObject, ownedObject } from '../../directory/objects/object.ts'
import { mayUse } from '../../directory/objects/object-access.ts'
import { type ListContext, matchingObjects } from '../../directory/objects/object-list-store.ts'
import { readObject, readObjects } from '../../directory/objects/object-store.ts'
import { isRestorable, requireRoom, restoreObjectIn } from '../../directory/objects/restore-object.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, HttpError, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { readUnits } from '../../subscriptions/entitlement-store.ts'
import { pricesOfReturn, problemsOfReturn } from '../../subscriptions/restore-subscriptions.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import type { UserPresenter } from '../../users/account-view/presenter.ts'
import { canDelete, canRead, canRestore, mayBuy, sees } from '../../users/policy.ts'
import type { Retention } from '../../users/retention.ts'
import { messagesOf } from '../attempt.ts'
import type { Act, ListFilter, ObjectActs, PlannedObject } from './acts.ts'

export interface ObjectActParts {
  readonly clock: Clock
  readonly presenter: UserPresenter
  readonly retention: Retention
  readonly withLdap: boolean
}

/** Bulk actions on lists, resources or shared folders; each follows the rules of the single call. */
export function objectActs(parts: ObjectActParts, kind: DirectoryKind): ObjectActs {
  const { clock, withLdap, retention } = parts
  return {
    matching(db, readerId, filter, limit) {
      const context: ListContext = { now: clock.now(), withLdap, retention: retention.days }
      return matchingObjects(db, kind, readerId, objectFilter(filter), context, limit)
    },
    acts: { delete: deletion(parts, kind), restore: restoration(parts, kind) },
  }
}

function objectFilter({ search, status }: ListFilter) {
  const known = objectStates.find((state) => state === status)
  if (status != null && known === undefined) throw ValidationError.at('filter', 'validation.invalid')
  return { search, status: known }
}

function deletion({ clock }: ObjectActParts, kind: DirectoryKind): Act {
  return {
    async plan(db, { person }, ids) {
      const objects = await readObjects(db, kind, ids)
      const units = await readUnits(db, kind, ids)
      return objects.map((object) =>
        planned(person, object, deleteProblem(person, object), {
          removed: units.filter((unit) => unit.objectId === object.id),
        }),
      )
    },
    begin: async (trx, _batch, person, actor) => async (id) => {
      const object = await readObject(trx, kind, id)
      const problem = object === undefined ? new NotFound() : deleteProblem(person, object)
      if (object === undefined || problem !== undefined) throw problem ?? new NotFound()
      if (!(await endObject(trx, clock, object, actor))) throw new NotFound()
    },
  }
}

function deleteProblem(person: Person, object: DirectoryObject): HttpError | undefined {
  if (object.deletedAt !== null || !sees(person, ownedObject(object))) return new NotFound()
  return canDelete(person, ownedObject(object)) ? undefined : new Forbidden()
}

function restoration(parts: ObjectActParts, kind: DirectoryKind): Act {
  const { clock, retention } = parts
  return {
    async plan(db, { person, language }, ids) {
      const isUsable = await usable(parts, db, person, kind, language)
      const found: { object: DirectoryObject; problem: HttpError | undefined }[] = []
      for (const object of await readObjects(db, kind, ids)) {
        const problem = restoreProblem(parts, person, object, isUsable) ?? (await roomProblem(db, object))
        found.push({ object, problem })
      }
      const deleted = (problems: readonly (HttpError | undefined)[]) =>
        deletedOnes(found.filter((_, index) => problems[index] === undefined).map(({ object }) => object))
      const gone = await problemsOfReturn(db, kind, deleted(found.map(({ problem }) => problem)))
      const problems = found.map(({ object, problem }) => problem ?? gone.get(object.id))
      const prices = await pricesOfReturn(db, kind, deleted(problems))
      return found.map(({ object }, index) =>
        planned(person, object, problems[index], { added: prices.get(object.id) ?? [] }),
      )
    },
    async begin(trx, batch, person, actor) {
      const isUsable = await usable(parts, trx, person, kind, batch.language)
      return async (id) => {
        const object = await readObject(trx, kind, id)
        const problem =
          object === undefined ? new NotFound() : restoreProblem(parts, person, object, isUsable)
        if (object === undefined || problem !== undefined) throw problem ?? new NotFound()
        await restoreObjectIn(trx, clock, object, actor, retention.days).catch((error: unknown) => {
          throw nameTaken(error)
        })
      }
    },
  }
}

function restoreProblem(
  { clock, retention }: ObjectActParts,
  person: Person,
  object: DirectoryObject,
  isUsable: boolean,
): HttpError | undefined {
  if (!isRestorable(object, clock, retention.days) || !sees(person, ownedObject(object)))
    return new NotFound()
  if (!canRestore(person, ownedObject(object)) || !isUsable) return new Forbidden()
  return mayBuy(object.ownerStatus) ? undefined : new Forbidden(message('directory.degraded'))
}

async function roomProblem(db: Db, object: DirectoryObject): Promise<HttpError | undefined> {
  try {
    await requireRoom(db, object)
    return undefined
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

async function usable(
  { presenter }: ObjectActParts,
  db: Db,
  person: Person,
  kind: DirectoryKind,
  language: Language,
): Promise<boolean> {
  const view = await readAccountViewIn(db, person.userId)
  if (view === undefined) return false
  return mayUse(presenter, view, kind, { language, t: createTranslator(language) })
}

/** Which of these objects are deleted, and when. */
export function deletedOnes(
  objects: readonly {
    readonly id: number
    readonly walletId: string | null
    readonly deletedAt: Date | null
  }[],
): { id: number; walletId: string; deletedAt: Date }[] {
  return objects.flatMap(({ id, walletId, deletedAt }) =>
    walletId === null || deletedAt === null ? [] : [{ id, walletId, deletedAt }],
  )
}

function planned(
  person: Person,
  object: DirectoryObject,
  problem: HttpError | undefined,
  change: Pick<PlannedObject, 'removed' | 'added'>,
): PlannedObject {
  const owned = ownedObject(object)
  const mayKnow = sees(person, owned) && canRead(person, owned)
  return {
    id: object.id,
    label: mayKnow ? object.email : String(object.id),
    ...(mayKnow && { walletId: object.walletId }),
    ...(problem === undefined ? change : { problems: messagesOf(problem) }),
  }
}
