import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import { endTicketsOfLink } from '../downloads/ticket-store.ts'
import type { Item } from '../items/item.ts'
import { recordFile } from '../record.ts'
import { insertLink, type Link, linksOf, readLink, removeLink, updateLink } from './link-store.ts'

interface Parts {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
}

/** Maximum number of links per item. */
const most = 100

/**
 * The secret of a link. It is derived from the id, so that the owner can be shown it again although only its
 * hash is stored.
 */
export function linkToken(secrets: Secrets, id: string): string {
  return secrets.longCode('file-link', id)
}

/** Limits of a link; absent keys are unchanged. */
export interface LinkChange {
  readonly passwordHash?: string | null
  readonly expiresAt?: Date | null
  readonly maxDownloads?: number | null
}

/** Creates a link to an item. Throws a 422 if there are too many. */
export function addLink(parts: Parts, item: Item, limits: LinkChange, actor: Actor): Promise<Link> {
  return parts.db.transaction().execute((trx) => addIn(trx, parts, item, limits, actor))
}

async function addIn(
  trx: Db,
  { clock, secrets }: Parts,
  item: Item,
  limits: LinkChange,
  actor: Actor,
): Promise<Link> {
  if ((await linksOf(trx, item.id)).length >= most) {
    throw ValidationError.at('id', 'files.too-many-items', { max: most })
  }
  const id = newUuid()
  const link = await insertLink(trx, {
    id,
    itemId: item.id,
    tokenHash: sha256(linkToken(secrets, id)),
    passwordHash: limits.passwordHash ?? null,
    expiresAt: limits.expiresAt ?? null,
    maxDownloads: limits.maxDownloads ?? null,
    createdBy: actor.userId ?? null,
    createdAt: clock.now(),
  })
  await recordFile(trx, clock, 'file.link-created', item, actor, { link: id, ...facts(link) })
  return link
}

/** Changes the limits of a link. A new password ends all open visits. */
export function changeLink(
  { db, clock }: Parts,
  { item, link }: { readonly item: Item; readonly link: Link },
  change: LinkChange,
  actor: Actor,
): Promise<Link> {
  return db.transaction().execute(async (trx) => {
    const changed = await updateLink(trx, link.id, change)
    if (changed === undefined) throw new NotFound()
    if (change.passwordHash !== undefined) await endTicketsOfLink(trx, link.id)
    const data = { link: link.id, before: facts(link), after: facts(changed) }
    await recordFile(trx, clock, 'file.link-changed', item, actor, data)
    return changed
  })
}

/** Deletes a link and all URLs issued through it. */
export async function endLink(
  { db, clock }: Parts,
  { item, link }: { readonly item: Item; readonly link: Link },
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await removeLink(trx, link.id)
    await recordFile(trx, clock, 'file.link-deleted', item, actor, { link: link.id })
  })
}

/** Returns a link to an item. Throws NotFound. */
export async function requireLink(db: Db, item: Item, id: string): Promise<Link> {
  const link = await readLink(db, id)
  if (link?.itemId !== item.id) throw new NotFound()
  return link
}

function facts({ passwordHash, expiresAt, maxDownloads }: Link) {
  return { hasPassword: passwordHash !== null, expires_at: expiresAt, max_downloads: maxDownloads }
}
