import { groupStatus, mailboxStatus } from '@gatehouse/contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DirectoryKind } from './object.ts'
import { changeObjectStatus } from './object-store.ts'

interface Step {
  readonly add: number
  readonly remove: number
  /**
   * True if the transition applies to deleted objects only; the others apply only to objects that are not
   * deleted.
   */
  readonly ofDeleted?: true
}

/** The only allowed state transitions of a distribution list. */
const groupSteps = {
  ready: { add: groupStatus.active, remove: 0 },
  ldapReady: { add: groupStatus.active | groupStatus.ldapReady, remove: 0 },
  suspend: { add: groupStatus.suspended, remove: 0 },
  unsuspend: { add: 0, remove: groupStatus.suspended },
  removed: {
    add: groupStatus.deleted,
    remove: groupStatus.active | groupStatus.ldapReady,
    ofDeleted: true,
  },
} as const satisfies Record<string, Step>

/** The only allowed state transitions of a resource or shared folder. */
const mailboxSteps = {
  ready: { add: mailboxStatus.active | mailboxStatus.imapReady, remove: 0 },
  ldapReady: { add: mailboxStatus.active | mailboxStatus.imapReady | mailboxStatus.ldapReady, remove: 0 },
  removed: {
    add: mailboxStatus.deleted,
    remove: mailboxStatus.active | mailboxStatus.imapReady | mailboxStatus.ldapReady,
    ofDeleted: true,
  },
} as const satisfies Record<string, Step>

export type GroupTransition = keyof typeof groupSteps
export type MailboxTransition = keyof typeof mailboxSteps

/**
 * The state does not allow the change: deleted objects don't change, and only deleted objects are removed.
 */
export class IllegalObjectTransition extends Error {
  override name = 'IllegalObjectTransition'
}

/** Changes the state of a distribution list. Throws IllegalObjectTransition. */
export function transitionGroup(db: Db, clock: Clock, id: number, name: GroupTransition): Promise<void> {
  return write(db, clock, ['group'], id, name, groupSteps[name])
}

/** Changes the state of a resource or shared folder. Throws IllegalObjectTransition. */
export function transitionMailbox(db: Db, clock: Clock, id: number, name: MailboxTransition): Promise<void> {
  return write(db, clock, ['resource', 'shared-folder'], id, name, mailboxSteps[name])
}

async function write(
  db: Db,
  clock: Clock,
  kinds: readonly DirectoryKind[],
  id: number,
  name: string,
  step: Step,
): Promise<void> {
  const isChanged = await changeObjectStatus(db, clock.now(), kinds, id, step)
  if (!isChanged) throw new IllegalObjectTransition(`${kinds.join('/')} ${id}: ${name}`)
}
