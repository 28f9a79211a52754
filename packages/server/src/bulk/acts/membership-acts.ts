import { changeOneMember } from '../../directory/groups/update-group.ts'
import { type DirectoryObject, ownedObject } from '../../directory/objects/object.ts'
import { readObject } from '../../directory/objects/object-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, type HttpError, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import { canRead, canUpdate, sees } from '../../users/policy.ts'
import { messagesOf } from '../attempt.ts'
import type { Act } from './acts.ts'
import { type BulkUser, readUsers } from './user-target-store.ts'

/** Adds users to a distribution list, or removes them. */
export function membershipAct(clock: Clock, isMember: boolean): Act {
  return {
    async checkParams(db, _tenantId, { person, params }) {
      try {
        await requireGroup(db, person, params.group)
      } catch (error) {
        // the list is a field of the request, not part of the path
        if (error instanceof NotFound) throw ValidationError.at('group', 'bulk.gone')
        throw error
      }
    },
    async plan(db, { person, params }, ids) {
      const group = await requireGroup(db, person, params.group)
      return (await readUsers(db, ids)).map((user) => {
        const problem = userProblem(person, user, group)
        const mayKnow = sees(person, user) && canRead(person, user)
        return {
          id: user.userId,
          label: mayKnow ? user.email : String(user.userId),
          ...(mayKnow && { walletId: user.walletId }),
          ...(problem !== undefined && { problems: messagesOf(problem) }),
        }
      })
    },
    async begin(trx, batch, person, actor) {
      const groupId = Number(batch.params.group ?? 0)
      return async (id) => {
        const group = await requireGroup(trx, person, groupId)
        const view = await readAccountViewIn(trx, id)
        if (view === undefined) throw new NotFound()
        const user = { ...ownedUser(view), walletId: view.wallet.id }
        const problem = userProblem(person, user, group)
        if (problem !== undefined) throw problem
        await changeOneMember(trx, clock, group, { address: view.user.email, isMember }, actor)
      }
    },
  }
}

/** The list, if the caller may change it. Throws NotFound, Forbidden. */
async function requireGroup(db: Db, person: Person, id: number | undefined): Promise<DirectoryObject> {
  const group = id === undefined ? undefined : await readObject(db, 'group', id)
  if (group === undefined || group.deletedAt !== null || !sees(person, ownedObject(group)))
    throw new NotFound()
  if (!canUpdate(person, ownedObject(group))) throw new Forbidden()
  return group
}

/** Only users of the list's account who are visible to the caller; others are added by address. */
function userProblem(
  person: Person,
  user: Parameters<typeof canRead>[1] & Pick<BulkUser, 'walletId'>,
  group: DirectoryObject,
): HttpError | undefined {
  if (!sees(person, user)) return new NotFound()
  return canRead(person, user) && user.walletId === group.walletId ? undefined : new Forbidden()
}
