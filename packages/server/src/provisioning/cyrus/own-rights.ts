import type { CyrusParts } from './cyrus-parts.ts'
import { folderOf, userMailbox } from './mailbox-names.ts'
import type { Acl } from './mailboxes.ts'
import { freeBusy } from './rights.ts'

/** What the store gives to the owner of a new folder. */
const all = 'lrswipkxtecdan'

/**
 * Gives a user the rights in their own folders. If the store dies while it moves them, they belong to the former
 * address, and the user sees no folders.
 */
export async function restoreOwnRights(
  { mailboxes }: CyrusParts,
  email: string,
  formerAddresses: readonly string[],
): Promise<void> {
  const inbox = userMailbox(email)
  const below = await mailboxes.below(inbox)
  const own = (await mailboxes.exists(inbox)) ? [inbox, ...below] : below
  await Promise.all(
    own.map(async (name) => {
      const acl = await mailboxes.readAcl(name)
      const former = formerAddresses.filter((address) => acl.has(address))
      if (former.length > 0 || !canRead(acl, email)) {
        await mailboxes.setRights(name, email, ownRights(name, acl, [email, ...former]))
      }
      for (const address of former) await mailboxes.removeRights(name, address)
    }),
  )
}

/** The rights under all addresses of the owner, or else those of an owner by default. */
function ownRights(name: string, acl: Acl, addresses: readonly string[]): string {
  const rights = new Set(addresses.flatMap((address) => (acl.get(address) ?? '').split('')))
  if (rights.has('r')) return [...rights].join('')
  return folderOf(name)?.startsWith('#calendars') ? `${all}${freeBusy}` : all
}

/** Whether a user sees and reads a folder. Its owner always has the right to change the rights. */
export function canRead(acl: Acl, email: string): boolean {
  return acl.get(email)?.includes('r') === true
}
