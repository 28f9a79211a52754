import { userStatus } from '@gatehouse/contract/status'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { changeStatus } from './state-store.ts'

/** The only transitions of a user's state; each adds and removes status bits at once. */
const transitions = {
  mailboxReady: { add: userStatus.imapReady, remove: 0, from: ~userStatus.deleted },
  /** The directory has an entry of the user. */
  entryReady: { add: userStatus.ldapReady, remove: 0, from: ~userStatus.deleted },
  activate: { add: userStatus.active, remove: 0, from: ~userStatus.deleted },
  suspend: { add: userStatus.suspended, remove: 0, from: ~userStatus.deleted },
  unsuspend: { add: 0, remove: userStatus.suspended, from: ~userStatus.deleted },
  degrade: { add: userStatus.degraded, remove: 0, from: ~userStatus.deleted },
  undegrade: { add: 0, remove: userStatus.degraded, from: ~userStatus.deleted },
  /** The back ends have forgotten a deleted user. */
  removed: {
    add: userStatus.deleted,
    remove: userStatus.active | userStatus.imapReady | userStatus.ldapReady,
    from: ~userStatus.deleted,
    ofDeleted: true,
  },
  /** A deleted user comes back as a new one, but not out of what staff or lack of payment put him into. */
  restore: {
    add: userStatus.new,
    remove: userStatus.active | userStatus.imapReady | userStatus.ldapReady | userStatus.deleted,
    from: ~0,
    ofDeleted: true,
  },
  unrestrict: { add: 0, remove: userStatus.restricted, from: ~userStatus.deleted },
} as const

export type UserTransition = keyof typeof transitions

/** The state does not allow the change: a user that is gone changes no more, one that is not is not removed. */
export class IllegalTransition extends Error {
  override name = 'IllegalTransition'
}

/**
 * Changes a user's state in one statement, so that two writers never undo each other's bits.
 * Throws IllegalTransition for a user that is deleted or unknown, and for the removal of one that is not deleted.
 */
export async function transition(db: Db, clock: Clock, userId: number, name: UserTransition): Promise<void> {
  const step = transitions[name]
  const change = { ...step, ofDeleted: 'ofDeleted' in step }
  if (!(await changeStatus(db, userId, change, clock.now())))
    throw new IllegalTransition(`user ${userId}: ${name}`)
}
