import { after, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Forbidden, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid, randomToken } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import { findTicket, insertTicket } from '../downloads/ticket-store.ts'
import type { FileParts } from '../file-parts.ts'
import type { Item } from '../items/item.ts'
import { readItem } from '../items/item-store.ts'
import { ancestorsOf } from '../items/tree-store.ts'
import { isServing } from '../share-store.ts'
import { findLink, type Link, noteUse, readLink } from './link-store.ts'

type Parts = Pick<FileParts, 'db' | 'clock'>

/** A valid link with its item. */
export interface OpenLink {
  readonly link: Link
  readonly item: Item
}

/**
 * Returns the link of a token or id if it is valid: not expired or used up, with an existing item and an
 * active owner. All other cases are the same NotFound.
 */
export async function requireOpenLink(
  { db, clock }: Parts,
  by: { readonly token: string } | { readonly id: string },
): Promise<OpenLink> {
  const link = 'token' in by ? await findLink(db, sha256(by.token)) : await readLink(db, by.id)
  const item = link && (await readItem(db, link.itemId))
  if (link === undefined || item === undefined || item.deletedAt !== null) throw new NotFound()
  if (link.expiresAt !== null && link.expiresAt <= clock.now()) throw new NotFound()
  if (!(await isServing(db, item.ownerId))) throw new NotFound()
  return { link, item }
}

/** Returns whether the link has downloads left. */
export function hasDownloads({ downloads, maxDownloads: most }: Link): boolean {
  return most === null || downloads < most
}

/**
 * Returns the link of a token; guessing is throttled per network address. Throws NotFound, TooManyRequests.
 */
export function findVisited(
  parts: Pick<FileParts, 'db' | 'clock' | 'throttle'>,
  token: string,
  ip: string,
): Promise<OpenLink> {
  return parts.throttle.guard(
    { kind: 'file-link', account: token, ip },
    (error) => error instanceof NotFound,
    async () => {
      const open = await requireOpenLink(parts, { token })
      if (!hasDownloads(open.link)) throw new NotFound()
      return open
    },
  )
}

/**
 * Opens a link: checks its password and returns a proof that is valid for an hour. Throws a 422 at `password`;
 * guessing is throttled.
 */
export async function openLink(
  parts: Pick<FileParts, 'db' | 'clock' | 'throttle' | 'hasher'>,
  { token, ip, password }: { readonly token: string; readonly ip: string; readonly password: string | null },
): Promise<OpenLink & { readonly access: string }> {
  const { db, clock, throttle, hasher } = parts
  const open = await findVisited(parts, token, ip)
  const { link, item } = open
  const hash = link.passwordHash
  if (hash !== null) {
    if (password === null) throw ValidationError.at('password', 'files.link-password-needed')
    await throttle.guard(
      { kind: 'file-link-password', account: link.id, ip },
      (error) => error instanceof ValidationError,
      async () => {
        if (!(await hasher.verify(hash, password, { ip })))
          throw ValidationError.at('password', 'files.link-password')
      },
    )
  }
  const access = randomToken()
  const now = clock.now()
  const holder = { userId: null, sessionId: null, linkId: link.id }
  const what = { itemIds: [item.id], versionId: null, name: item.name }
  const expiresAt = after(now, hour)
  await insertTicket(db, { hash: sha256(access), kind: 'visit', ...holder, ...what, expiresAt }, now)
  await noteUse(db, link.id, now)
  return { ...open, access }
}

/**
 * Returns the link of a token after checking the visitor's proof, which is not needed without a password.
 * Throws NotFound, Forbidden.
 */
export async function requireVisit(
  parts: Pick<FileParts, 'db' | 'clock' | 'throttle'>,
  { token, ip, access }: { readonly token: string; readonly ip: string; readonly access: string | null },
): Promise<OpenLink> {
  const open = await findVisited(parts, token, ip)
  if (open.link.passwordHash === null) return open
  const { db, clock } = parts
  const visit = access === null ? undefined : await findTicket(db, sha256(access), 'visit', clock.now())
  if (visit?.linkId !== open.link.id) throw new Forbidden()
  return open
}

/** Returns an active item at or below a link's item. Throws NotFound for any other. */
export async function requireUnderLink(db: Db, root: Item, id: string): Promise<Item> {
  const item = isUuid(id) ? await readItem(db, id.toLowerCase()) : undefined
  if (item === undefined || item.deletedAt !== null) throw new NotFound()
  if (item.id !== root.id && !(await ancestorsOf(db, [item.id])).has(root.id)) throw new NotFound()
  return item
}
