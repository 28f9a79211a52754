import type { ResetCodes } from '../../passwords/reset-code.ts'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, type HttpError, message, NotFound } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { passwordLinkJob } from '../../sessions/password-reset/reset-mail.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import { heldUntil } from '../../users/addresses/recovery-address-store.ts'
import { holdUser } from '../../users/member-store.ts'
import { canRead, canSendPasswordLink, type OwnedObject, sees } from '../../users/policy.ts'
import { messagesOf } from '../attempt.ts'
import type { Act } from './acts.ts'
import { readUserStates, readUsers, type UserState } from './user-target-store.ts'

interface Parts {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly codes: ResetCodes
}

/** Mails password links to the private addresses of users. The sender never sees the links. */
export function passwordLinkAct({ clock, jobs, codes }: Parts): Act {
  return {
    async plan(db, { person }, ids) {
      const states = await readUserStates(db, ids)
      return (await readUsers(db, ids)).map((user) => {
        const problem = problemOf(person, user, states.get(user.userId), clock.now())
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
      const view = (await holdUser(trx, id)) ? await readAccountViewIn(trx, id) : undefined
      if (view === undefined) throw new NotFound()
      const states = await readUserStates(trx, [id])
      const problem = problemOf(person, ownedUser(view), states.get(id), clock.now())
      if (problem !== undefined) throw problem
      const codeId = await codes.makeFor(trx, id)
      await jobs.enqueue(trx, passwordLinkJob, { id: codeId, userId: id, sentBy: 'account' })
      const { tenantId } = view.user
      await audit(trx, clock, {
        ...{ tenantId, objectType: 'user', objectId: id },
        event: 'password.link-mailed',
        actor,
      })
    },
  }
}

/** Why a link may not be mailed to a user; undefined if it may. */
function problemOf(
  person: Person,
  user: OwnedObject,
  state: UserState | undefined,
  now: Date,
): HttpError | undefined {
  if (state === undefined || !sees(person, user)) return new NotFound()
  if (!canRead(person, user)) return new Forbidden()
  if (user.userId === person.userId) return new Forbidden(message('bulk.link-yourself'))
  if (!canSendPasswordLink(person, user)) return new Forbidden()
  if (state.externalEmail === null) return new Forbidden(message('bulk.no-private-address'))
  const held = heldUntil(state.heldUntil, now)
  return held === undefined ? undefined : new Forbidden(message('bulk.private-address-held', { until: held }))
}
