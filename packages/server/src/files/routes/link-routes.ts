import type { FileLink, LinkedItem, LinkInput } from '@gatehouse/contract/files/file-shares'
import type { HashFor } from '../../passwords/hasher.ts'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { actorOf } from '../../users/actor.ts'
import { requireItem } from '../access.ts'
import { archiveAddress, downloadAddress, previewAddress, requireContent } from '../downloads/tickets.ts'
import type { FileParts } from '../file-parts.ts'
import type { Item } from '../items/item.ts'
import { listItems, ownersOf } from '../items/list-store.ts'
import { pathTo } from '../items/tree-store.ts'
import type { Link } from '../links/link-store.ts'
import { linksOf } from '../links/link-store.ts'
import { addLink, changeLink, endLink, type LinkChange, linkToken, requireLink } from '../links/links.ts'
import {
  findVisited,
  hasDownloads,
  type OpenLink,
  openLink,
  requireUnderLink,
  requireVisit,
} from '../links/visit.ts'
import { mayShare } from '../policy.ts'
import { previewType, shortDate } from '../present.ts'
import { pageOf } from '../read-query.ts'

interface Offer {
  readonly isOffered: boolean
}

/** Routes for a link's owner. */
export function serveLinks(api: Api, parts: FileParts, offer: Offer): void {
  const { db } = parts
  const present = (link: Link): FileLink => presentLink(parts, link)

  api.serve(
    'GET /api/v4/fs/{id}/links',
    async (context) => {
      const { item } = await requireItem(parts, context.principal, context.params.id, context, mayShare)
      const list = (await linksOf(db, item.id)).map(present)
      return { list, count: list.length }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/fs/{id}/links',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayShare)
      const limits = await readLimits(parts, context.read(), context)
      const link = await addLink(parts, item, limits, actorOf(principal, context))
      return { status: 'success', message: t('files.link-created'), ...present(link) }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/fs/{id}/links/{link}',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayShare)
      if (!isUuid(params.link)) throw new NotFound()
      const link = await requireLink(db, item, params.link)
      const limits = await readLimits(parts, context.read(), context)
      const changed = await changeLink(parts, { item, link }, limits, actorOf(principal, context))
      return { status: 'success', message: t('files.link-updated'), ...present(changed) }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/fs/{id}/links/{link}',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayShare)
      if (!isUuid(params.link)) throw new NotFound()
      const link = await requireLink(db, item, params.link)
      await endLink(parts, { item, link }, actorOf(principal, context))
      return { status: 'success', message: t('files.link-deleted') }
    },
    offer,
  )
}

/** Routes for a link's visitors. */
export function serveVisits(api: Api, parts: FileParts, offer: Offer): void {
  const { db } = parts

  api.serve(
    'GET /api/v4/fs/links/{token}',
    async ({ params, ip }) => {
      const { link } = await findVisited(parts, params.token, ip)
      return { requiresPassword: link.passwordHash !== null }
    },
    offer,
  )

  api.serve(
    'POST /api/v4/fs/links/{token}/open',
    async ({ params, body, ip }) => {
      const visitor = { token: params.token, ip, password: body.password ?? null }
      const { link, item, access } = await openLink(parts, visitor)
      const owner = (await ownersOf(db, [item.ownerId])).get(item.ownerId)
      return {
        status: 'success',
        access,
        item: presentLinked(item),
        owner: { name: owner?.name ?? '' },
        expires_at: link.expiresAt && wireDate(link.expiresAt),
        downloads_left: link.maxDownloads === null ? null : link.maxDownloads - link.downloads,
      }
    },
    offer,
  )

  api.serve(
    'GET /api/v4/fs/links/{token}/items',
    async ({ params, query, ip }) => {
      const open = await requireVisit(parts, { token: params.token, ip, access: query.access ?? null })
      const collection = await requireUnderLink(db, open.item, query.parent ?? open.item.id)
      if (collection.type !== 'collection') throw new NotFound()
      const page = pageOf(query)
      const place = { ownerId: collection.ownerId, collectionId: collection.id, isRecursive: false }
      const { rows, total } = await listItems(db, place, {
        ...{ search: null, type: null, sort: 'name', order: 'asc', collectionsFirst: true },
        ...page,
      })
      const { id, name } = collection
      const path = id === open.item.id ? [] : [...(await pathTo(db, id, open.item.id)), { id, name }]
      const hasMore = page.offset + rows.length < total
      return { list: rows.map(presentLinked), count: rows.length, hasMore, total, path }
    },
    offer,
  )

  api.serve(
    'POST /api/v4/fs/links/{token}/download',
    async ({ params, body, ip }) => {
      const visitor = { token: params.token, ip, access: body.access ?? null }
      const open = await requireVisit(parts, visitor)
      const items: Item[] = []
      for (const id of new Set(body.ids ?? [open.item.id])) {
        items.push(await requireUnderLink(db, open.item, id))
      }
      return { status: 'success', ...(await addressFor(parts, open, items, body.preview === true)) }
    },
    offer,
  )
}

async function addressFor(
  parts: FileParts,
  { link }: OpenLink,
  items: readonly Item[],
  isPreview: boolean,
): Promise<{ readonly downloadUrl: string; readonly name: string }> {
  const holder = { linkId: link.id }
  const [first] = items
  const isOne = items.length === 1 && first !== undefined
  if (isPreview) {
    // a preview would be a download that isn't counted
    if (!isOne || link.maxDownloads !== null) throw ValidationError.at('preview', 'files.no-preview')
    const version = await requireContent(parts.db, first, false, 'ids')
    return {
      downloadUrl: await previewAddress(parts, holder, first, version, 'preview'),
      name: first.name,
    }
  }
  if (!isOne || first.type === 'collection') return archiveAddress(parts, holder, items)
  const version = await requireContent(parts.db, first, false, 'ids')
  return { downloadUrl: await downloadAddress(parts, holder, first, version), name: first.name }
}

function presentLink({ clock, config, secrets }: FileParts, link: Link): FileLink {
  const { expiresAt } = link
  return {
    id: link.id,
    link: `${config.APP_URL}/link/${linkToken(secrets, link.id)}`,
    hasPassword: link.passwordHash !== null,
    expires_at: expiresAt && wireDate(expiresAt),
    max_downloads: link.maxDownloads,
    downloads: link.downloads,
    last_used_at: link.lastUsedAt && wireDate(link.lastUsedAt),
    created_at: wireDate(link.createdAt),
    isOpen: hasDownloads(link) && (expiresAt === null || expiresAt > clock.now()),
  }
}

function presentLinked(item: Item): LinkedItem {
  const { id, type, name, size, mimetype } = item
  const hasPreview = previewType(mimetype) !== undefined
  return { id, type, name, size, mimetype, mtime: shortDate(item.changedAt), hasPreview }
}

/** Reads the limits in a request: absent keys are unchanged, null removes a limit. */
async function readLimits(
  { clock, hasher }: FileParts,
  { password, expires_at: until, max_downloads: downloads }: LinkInput,
  whom: HashFor,
): Promise<LinkChange> {
  const end = until == null ? until : new Date(`${until.replace(' ', 'T')}Z`)
  if (end != null) {
    // 31 February would be parsed as a day in March
    const isReal = !Number.isNaN(end.getTime()) && wireDate(end) === until
    if (!isReal) throw new ValidationError({ expires_at: message('validation.invalidvalue') })
    if (end <= clock.now()) throw new ValidationError({ expires_at: message('files.link-past') })
  }
  return {
    ...(password !== undefined && {
      passwordHash: password === null ? null : await hasher.hash(password, whom),
    }),
    ...(end !== undefined && { expiresAt: end }),
    ...(downloads !== undefined && { maxDownloads: downloads === null ? null : Number(downloads) }),
  }
}
