import { userStatus } from '@gatehouse/contract/status'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { changeStatus } from './state-store.ts'

/** The only transitions of a user's state; each adds and removes status bits at once. */
const transitions = {
  mailboxReady: { add: userStatus.imapReady, remove: 0, from: ~userStatus.deleted },
  /** The directory has an entry for the user. */
  entryReady: { add: userStatus.ldapReady, remove: 0, from: ~userStatus.deleted },
  activate: { add: userStatus.active, remove: 0, from: ~userStatus.deleted },
  suspend: { add: userStatus.suspended, remove: 0, from: ~userStatus.deleted },
  unsuspend: { add: 0, remove: userStatus.suspended, from: ~userStatus.deleted },
  degrade: { add: userStatus.degraded, remove: 0, from: ~userStatus.deleted },
  undegrade: { add: 0, remove: userStatus.degraded, from: ~userStatus.deleted },
  /** A deleted user was removed from the back ends. */
  removed: {
    add: userStatus.deleted,
    remove: userStatus.active | userStatus.imapReady | userStatus.ldapReady,
    from: ~userStatus.deleted,
    ofDeleted: true,
  },
  /** A deleted user is restored as a new one, but stays suspended or degraded. */
  restore: {
    add: userStatus.new,
    remove: userStatus.active | userStatus.imapReady | userStatus.ldapReady | userStatus.deleted,
    from: ~0,
    ofDeleted: true,
  },
  unrestrict: { add: 0, remove: userStatus.restricted, from: ~userStatus.deleted },
} as const

export type UserTransition = keyof typeof transitions

/** The state doesn't allow the change: deleted users can't change, and only deleted users can be removed. */
export class IllegalTransition extends Error {
  override name = 'IllegalTransition'
}

/**
 * Changes a user's state in one statement, so that concurrent writers don't undo each other's bits. Throws
 * IllegalTransition for a deleted or unknown user, and for the removal of a user who isn't deleted.
 */
export async function transition(db: Db, clock: Clock, userId: number, name: UserTransition): Promise<void> {
  const step = transitions[name]
  const change = { ...step, ofDeleted: 'ofDeleted' in step }
  if (!(await changeStatus(db, userId, change, clock.now())))
    throw new IllegalTransition(`user ${userId}: ${name}`)
}
