import type { DelegationKind, DelegationOptions } from '@gatehouse/contract/directory/delegation'
import type { BackendDelegation } from '../backend.ts'
import { createCalendar } from './collections.ts'
import type { CyrusParts } from './cyrus-parts.ts'
import { folderOf, userMailbox } from './mailbox-names.ts'
import { calendarRights, folderRights, isGrantedByPortal } from './rights.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

/** Collections that aren't a user's own calendars. */
const hidden = new Set(['#calendars', '#calendars/Attachments', '#calendars/Inbox', '#calendars/Outbox'])
const taskList = '#calendars/Tasks'

/** Gives a delegate exactly the rights of a delegation. */
export async function syncDelegation(
  parts: CyrusParts,
  { delegator, delegatee, options }: Pick<BackendDelegation, 'delegator' | 'delegatee' | 'options'>,
): Promise<void> {
  const [owner, user] = [delegator.email.toLowerCase(), delegatee.email.toLowerCase()]
  if (!(await parts.mailboxes.exists(userMailbox(owner)))) return
  if (options.task !== undefined && !(await parts.mailboxes.exists(userMailbox(owner, taskList)))) {
    await createCalendar(parts.dav, owner, taskList, { name: 'Tasks', component: 'VTODO' })
  }
  const changes = { granted: [] as (string | undefined)[], revoked: [] as (string | undefined)[] }
  for (const name of [userMailbox(owner), ...(await parts.mailboxes.below(userMailbox(owner)))]) {
    const kind = kindOf(folderOf(name))
    if (kind === undefined) continue
    const isGranted = await setRights(parts, name, user, rightsFor(kind, options))
    changes[isGranted ? 'granted' : 'revoked'].push(folderOf(name))
  }
  await unsubscribe(parts, owner, changes.revoked, user)
  await subscribe(parts, owner, changes.granted, user)
}

/** Revokes everything that a delegation granted. */
export async function removeDelegation(parts: CyrusParts, delegation: BackendDelegation): Promise<void> {
  await syncDelegation(parts, { ...delegation, options: { send_as: false } })
}

function kindOf(folder: string | undefined): DelegationKind | undefined {
  if (folder === undefined || !folder.startsWith('#')) return 'mail'
  if (hidden.has(folder)) return undefined
  if (folder === taskList) return 'task'
  if (folder.startsWith('#calendars/')) return 'event'
  return folder.startsWith('#addressbooks/') ? 'contact' : undefined
}

function rightsFor(kind: DelegationKind, options: DelegationOptions): string | undefined {
  const access = options[kind]
  if (access === undefined) return undefined
  return kind === 'event' || kind === 'task' ? calendarRights(access) : folderRights(access)
}

/**
 * Sets or removes a delegate's rights in one mailbox. Rights that the portal can't have granted come from the
 * delegator; they are kept, and completed while the delegation lasts. Returns whether the delegate has rights.
 */
async function setRights(
  { mailboxes }: CyrusParts,
  name: string,
  user: string,
  rights: string | undefined,
): Promise<boolean> {
  const current = (await mailboxes.readAcl(name)).get(user)
  const isOwn = current === undefined || isGrantedByPortal(current)
  if (rights === undefined) {
    if (current !== undefined && isOwn) await mailboxes.removeRights(name, user)
    return !isOwn
  }
  const wanted = isOwn ? rights : [...new Set((current + rights).split(''))].join('')
  if (wanted !== current) await mailboxes.setRights(name, user, wanted)
  return true
}
