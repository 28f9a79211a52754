/** The parts of an address. */
export function splitAddress(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, at).toLowerCase(), domain: address.slice(at + 1).toLowerCase() }
}

/** Name of a user's inbox, or of a folder below it, as the administrator sees it. */
export function userMailbox(email: string, folder?: string): string {
  const { local, domain } = splitAddress(email)
  return `user/${local}${folder === undefined ? '' : `/${folder}`}@${domain}`
}

/** A folder as another user sees it, for subscriptions. */
export function otherUsersFolder(owner: string, folder: string | undefined, viewer: string): string {
  const { local, domain } = splitAddress(owner)
  const shownOwner = domain === splitAddress(viewer).domain ? local : `${local}@${domain}`
  return `Other Users/${shownOwner}${folder === undefined ? '' : `/${folder}`}`
}

/** Returns a folder's name below its owner's inbox; undefined for the inbox. */
export function folderOf(mailbox: string): string | undefined {
  const path = mailbox.slice(0, mailbox.lastIndexOf('@')).split('/').slice(2).join('/')
  return path === '' ? undefined : path
}

/**
 * Address under which a deleted user's mail is kept until it is purged. It contains the id, so that mail never
 * returns to another user who got the address. Nobody can sign in to it, and no mail can be sent to it.
 */
export function deletedAddress(id: number | '%'): string {
  return `${id}@deleted.invalid`
}

/** Address of the technical user that owns a domain's shared folders and resources. Nobody can sign in to it. */
export function technicalAddress(domain: string): string {
  return `shared@${domain.toLowerCase()}`
}

/** Returns the id in the inbox of a deleted user. */
export function parseDeletedAddress(inbox: string): number | undefined {
  const [, id] = /^user\/(\d+)@deleted\.invalid$/.exec(inbox) ?? []
  return id === undefined ? undefined : Number(id)
}
