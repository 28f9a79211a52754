import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, type HttpError, message, NotFound } from '../../platform/http/errors.ts'
import { suspendUser, unsuspendUser } from '../../users/account-state.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import { holdUser } from '../../users/member-store.ts'
import { canRead, canSuspend, type OwnedObject, sees } from '../../users/policy.ts'
import { messagesOf } from '../attempt.ts'
import type { Act } from './acts.ts'
import { readUserStates, readUsers, type UserState } from './user-target-store.ts'

/** Suspends users of an account, or ends suspensions by the account itself. */
export function suspensionAct(clock: Clock, isSuspension: boolean): Act {
  return {
    async plan(db, { person }, ids) {
      const states = await readUserStates(db, ids)
      return (await readUsers(db, ids)).map((user) => {
        const problem = problemOf(person, user, states.get(user.userId), isSuspension)
        const mayKnow = sees(person, user) && canRead(person, user)
        return {
          id: user.userId,
          label: mayKnow ? user.email : String(user.userId),
          ...(mayKnow && { walletId: user.walletId }),
          ...(problem !== undefined && { problems: messagesOf(problem) }),
        }
      })
    },
    begin: async (trx, _batch, person, actor) => async (id) => {
      await requireSuspendable(trx, person, id, isSuspension)
      if (isSuspension) await suspendUser(trx, clock, id, { actor, reason: 'account' })
      else await unsuspendUser(trx, clock, id, { actor })
    },
  }
}

async function requireSuspendable(trx: Db, person: Person, id: number, isSuspension: boolean): Promise<void> {
  const isThere = await holdUser(trx, id)
  const view = isThere ? await readAccountViewIn(trx, id) : undefined
  if (view === undefined) throw new NotFound()
  const states = await readUserStates(trx, [id])
  const problem = problemOf(person, ownedUser(view), states.get(id), isSuspension)
  if (problem !== undefined) throw problem
}

/** Why a user may not be suspended or resumed; undefined if they may. */
function problemOf(
  person: Person,
  user: OwnedObject,
  state: UserState | undefined,
  isSuspension: boolean,
): HttpError | undefined {
  if (state === undefined || !sees(person, user)) return new NotFound()
  if (!canRead(person, user)) return new Forbidden()
  if (user.userId === person.userId) return new Forbidden(message('bulk.suspend-yourself'))
  if (user.userId === user.ownerId) return new Forbidden(message('bulk.suspend-owner'))
  if (!canSuspend(person, user)) return new Forbidden()
  const isSuspended = hasBit(state.status, userStatus.suspended)
  if (isSuspension) return isSuspended ? new Forbidden(message('bulk.suspended-already')) : undefined
  if (!isSuspended) return new Forbidden(message('bulk.not-suspended'))
  return state.suspensionReason === 'account' ? undefined : new Forbidden(message('bulk.suspended-by-us'))
}
