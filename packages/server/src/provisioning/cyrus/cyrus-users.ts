import type { BackendUser } from '../backend.ts'
import { forgetDeletedFolders } from './cyrus-deleted-mail.ts'
import type { CyrusParts } from './cyrus-parts.ts'
import { ImapRefusedError } from './imap/imap-errors.ts'
import { mailbox } from './imap/imap-syntax.ts'
import { deletedAddress, folderOf, parseDeletedAddress, userMailbox } from './mailbox-names.ts'
import type { Mailboxes } from './mailboxes.ts'
import { moveRights } from './moved-rights.ts'
import { restoreOwnRights } from './own-rights.ts'

/** Folders of a new user, with the special use by which mail programs find them. */
const defaultFolders = {
  Drafts: '\\Drafts',
  Sent: '\\Sent',
  Trash: '\\Trash',
  Spam: '\\Junk',
  Archive: '\\Archive',
}

/** Annotation of a deleted user's inbox with the time of the deletion. */
const deletedAtEntry = '/shared/vendor/gatehouse/deleted-at'

/**
 * Brings a user's mailbox into the state that the portal wants: its mail from under a previous address or from
 * before the user was deleted, or else a new mailbox. The mark with the user's id is written last, so that an
 * interrupted call is completed by the next one.
 */
export async function syncUser(
  parts: CyrusParts,
  user: Pick<BackendUser, 'id' | 'email' | 'quota' | 'previousEmails'>,
): Promise<void> {
  const { mailboxes } = parts
  const { id, quota } = user
  const email = user.email.toLowerCase()
  const inbox = userMailbox(email)
  const owner = (await mailboxes.exists(inbox)) ? await mailboxes.readId(inbox) : undefined
  if (owner !== undefined && owner !== id) throw new Error(`the mailbox ${email} belongs to user ${owner}`)
  const previousEmails = user.previousEmails.map((one) => one.toLowerCase()).filter((one) => one !== email)
  const formerAddresses = [...previousEmails, deletedAddress(id)]
  for (const former of formerAddresses) await moveUser(mailboxes, former, email)
  await restoreOwnRights(parts, email, formerAddresses)
  await mailboxes.create(inbox)
  await mailboxes.setQuota(inbox, quota)
  for (const previous of previousEmails) await moveRights(parts, previous, email)
  if (owner === id) return
  // what a former user of the address deleted isn't this user's to restore
  await forgetDeletedFolders(mailboxes, email)
  await createFolders(parts, email)
  await parts.dav.createHome(email)
  // by default, everyone who can sign in sees when a calendar is busy, also in other accounts
  await mailboxes.removeRights(userMailbox(email, '#calendars/Default'), 'anyone')
  await mailboxes.writeId(inbox, id)
}

/**
 * Removes what the store has under an address, unless it belongs to another user by now. The mailbox gets a name
 * with the user's id, under which it stays until the user is restored or it is purged. A mailbox that the store
 * itself deletes loses its calendars, scripts and subscriptions.
 */
export async function removeUser(
  parts: CyrusParts,
  { id, email }: Pick<BackendUser, 'id' | 'email'>,
  now: Date,
): Promise<void> {
  const { mailboxes } = parts
  const inbox = userMailbox(email)
  if (await mailboxes.exists(inbox)) {
    const owner = await mailboxes.readId(inbox)
    if (owner !== undefined && owner !== id) return
    await mailboxes.annotate(inbox, deletedAtEntry, now.toISOString())
  }
  await moveUser(mailboxes, email, deletedAddress(id))
  // otherwise the next user with the address could see folders
  await restoreOwnRights(parts, deletedAddress(id), [email.toLowerCase()])
}

/** Deletes for good the mailboxes of users who were deleted before a moment. */
export async function purgeUsers({ mailboxes }: CyrusParts, before: Date): Promise<void> {
  for (const inbox of await mailboxes.list(userMailbox(deletedAddress('%')))) {
    const deletedAt = await mailboxes.readAnnotation(inbox, deletedAtEntry)
    if (deletedAt === undefined || new Date(deletedAt) >= before) continue
    const id = parseDeletedAddress(inbox)
    if (id === undefined) continue
    await removeAll(mailboxes, deletedAddress(id))
    const [local = '', domain = ''] = deletedAddress(id).split('@')
    // mailboxes that were deleted before are removed at once
    for (const name of await mailboxes.list(`DELETED/user/${local}/*@${domain}`)) await mailboxes.remove(name)
  }
}

/** Deletes all mailboxes of a user. Deleting the inbox deletes the others, unless it was interrupted. */
export async function removeAll(mailboxes: Mailboxes, owner: string): Promise<void> {
  const inbox = userMailbox(owner)
  if (await mailboxes.exists(inbox)) await mailboxes.remove(inbox)
  const left = await mailboxes.below(inbox)
  // a container can't be deleted before what is in it
  for (const folder of left.sort((a, b) => b.length - a.length)) await mailboxes.remove(folder)
}

/** Moves a user's mailbox, or what an interrupted move has left behind. */
async function moveUser(mailboxes: Mailboxes, from: string, to: string): Promise<void> {
  const [source, target] = [userMailbox(from), userMailbox(to)]
  if ((await mailboxes.exists(source)) && !(await mailboxes.exists(target))) {
    await mailboxes.rename(source, target)
  }
  const left = await mailboxes.below(source)
  if (await mailboxes.exists(source)) left.unshift(source)
  for (const name of left) {
    // a folder that was deleted together with its parent is gone already
    if (await mailboxes.exists(name))
      await mailboxes.rename(name, await freeName(mailboxes, to, folderOf(name)))
  }
}

/** Returns a folder's name below its new owner; another one if there is such a folder. */
async function freeName(mailboxes: Mailboxes, owner: string, folder: string | undefined): Promise<string> {
  for (let count = 0; ; count++) {
    const suffix = count === 0 ? folder : `${folder ?? 'Inbox'} ${count + 1}`
    const name = userMailbox(owner, suffix)
    if (!(await mailboxes.exists(name))) return name
  }
}

/** Creates the default folders as the user, who owns special uses, and subscribes to all folders. */
async function createFolders({ imap, mailboxes }: CyrusParts, email: string): Promise<void> {
  const existing = (await mailboxes.below(userMailbox(email))).map(folderOf)
  const own = existing.filter((folder) => folder !== undefined && !folder.startsWith('#'))
  await imap.asUser(email, async (connection) => {
    const commands = [
      ...Object.entries(defaultFolders)
        .filter(([folder]) => !existing.includes(folder))
        .map(([folder, use]) => connection.run(`CREATE ${mailbox(folder)} (USE (${use}))`)),
      ...['INBOX', ...new Set([...Object.keys(defaultFolders), ...own])].map((folder) =>
        connection.run(`SUBSCRIBE ${mailbox(folder ?? 'INBOX')}`),
      ),
    ]
    for (const result of await Promise.allSettled(commands)) {
      if (result.status === 'rejected' && !isTakenUse(result.reason)) throw result.reason
    }
  })
}

/** The user has given the special use to another folder. */
function isTakenUse(error: unknown): boolean {
  return error instanceof ImapRefusedError && /USEATTR/.test(error.answer)
}
