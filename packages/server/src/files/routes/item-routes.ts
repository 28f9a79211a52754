import type { FileDetail } from '@gatehouse/contract/files/file-items'
import type { Api } from '../../platform/http/api.ts'
import { ContentAnswer } from '../../platform/http/bodies/content.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { actorOf } from '../../users/actor.ts'
import { requireFiles, requireItem, requirePlace } from '../access.ts'
import { savedContent } from '../downloads/content.ts'
import {
  archiveAddress,
  downloadAddress,
  holderOf,
  openDownload,
  openPreview,
  previewAddress,
  requireContent,
  type Use,
} from '../downloads/tickets.ts'
import { nameProblem, normaliseName } from '../file-name.ts'
import type { FileParts } from '../file-parts.ts'
import { moveItems } from '../items/change-item.ts'
import { copyItem } from '../items/copy-item.ts'
import type { Item } from '../items/item.ts'
import { listItems, ownersOf } from '../items/list-store.ts'
import { placeFor } from '../items/parents.ts'
import { parentsOf, pathsTo, pathTo } from '../items/tree-store.ts'
import { mayDelete, mayMove, type Reach } from '../policy.ts'
import { presentDetail, presentItem } from '../present.ts'
import { isAsked, listQuery } from '../read-query.ts'
import { isGivenAway } from '../share-store.ts'
import { deleteItems } from '../trash/delete-items.ts'
import { countVersions, versionOf } from '../version-store.ts'

interface Offer {
  readonly isOffered: boolean
}

/** Routes for listing, reading, moving, copying and deleting items and for their content. */
export function serveItems(api: Api, parts: FileParts, offer: Offer): void {
  const { db } = parts

  api.serve(
    'GET /api/v4/fs',
    async (context) => {
      const { principal, query } = context
      const place = await requirePlace(parts, principal, query.parent, context)
      const wanted = listQuery(query)
      const isRecursive = isAsked(query.recursive) && wanted.search !== null
      const where = { ownerId: place.ownerId, collectionId: place.collection?.id ?? null, isRecursive }
      const { rows, total } = await listItems(db, where, wanted)
      const owner = await ownerOf(parts, place.ownerId, principal)
      const reach = (item: Item): Reach => ({ item, rights: place.rights, ...(place.by && { by: place.by }) })
      const ids = isRecursive ? rows.map((row) => row.id) : []
      const paths = ids.length === 0 ? new Map() : await pathsTo(db, ids, place.by?.rootId)
      const list = rows.map((row) => ({
        ...presentItem(reach(row), { reader: principal, isShared: row.isShared, ...(owner && { owner }) }),
        ...(isRecursive && { path: paths.get(row.id) ?? [] }),
      }))
      const { collection } = place
      const shown = collection && (await itemDetail(parts, reach(collection), principal))
      const hasMore = wanted.offset + list.length < total
      return { list, count: list.length, hasMore, total, collection: shown }
    },
    offer,
  )

  api.serveContent(
    'GET /api/v4/fs/{id}',
    async (context) => {
      const { principal, params, query } = context
      const reach = await requireItem(parts, principal, params.id, context)
      const { item } = reach
      const isOwner = reach.rights === 'owner'
      if (isAsked(query.download)) {
        const version = await requireContent(db, item, isOwner, 'download')
        return new ContentAnswer(savedContent(parts, item.name, version))
      }
      const detail = await itemDetail(parts, reach, principal)
      const holder = holderOf(principal)
      const asks = { download: isAsked(query.downloadUrl), preview: isAsked(query.previewUrl) }
      if (!asks.download && !asks.preview) return detail
      const version = await requireContent(db, item, isOwner, asks.download ? 'downloadUrl' : 'previewUrl')
      return {
        ...detail,
        ...(asks.download && { downloadUrl: await downloadAddress(parts, holder, item, version) }),
        ...(asks.preview && {
          previewUrl: await previewAddress(parts, holder, item, version, 'previewUrl'),
        }),
      }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/fs/{id}',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayDelete)
      if ((await deleteItems(parts, [item], actorOf(principal, context))) === 0) throw new NotFound()
      const text = item.type === 'file' ? 'files.file-deleted' : 'files.collection-deleted'
      return { status: 'success', message: t(text) }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/fs/{id}/copy',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context)
      const body = context.read()
      const name = body.name == null ? item.name : normaliseName(body.name)
      const problem = nameProblem(name)
      if (problem !== undefined) throw new ValidationError({ name: problem })
      const place = await targetPlace(parts, context, body.parent)
      const copy = {
        source: item,
        ownerId: place.ownerId,
        tenantId: place.tenantId,
        parentId: place.parents[0] ?? null,
        name,
        conflict: body.conflict ?? 'keep',
        by: principal.userId,
      }
      const made = await copyItem(parts, copy, actorOf(principal, context))
      return { status: 'success', message: t('files.copied'), id: made.id }
    },
    offer,
  )

  api.serve(
    'POST /api/v4/fs/move',
    async (context) => {
      const { principal, body, t } = context
      const reaches = await reachAll(parts, context, body.ids, mayMove)
      const place = await targetPlace(parts, context, body.parent)
      await moveItems(parts, principal, reaches, place.parents, actorOf(principal, context))
      return { status: 'success', message: t('files.items-moved', { count: reaches.length }) }
    },
    offer,
  )

  api.serve(
    'POST /api/v4/fs/trash',
    async (context) => {
      const { principal, body, t } = context
      const reaches = await reachAll(parts, context, body.ids, mayDelete)
      const items = reaches.map(({ item }) => item)
      await deleteItems(parts, items, actorOf(principal, context))
      return { status: 'success', message: t('files.items-deleted', { count: reaches.length }) }
    },
    offer,
  )

  api.serve(
    'POST /api/v4/fs/zip',
    async (context) => {
      const { principal, body } = context
      const reaches = await reachAll(parts, context, body.ids, () => true)
      const items = reaches.map(({ item }) => item)
      const made = await archiveAddress(parts, holderOf(principal), items, body.name)
      return { status: 'success', ...made }
    },
    offer,
  )

  api.serveContent(
    'GET /api/v4/fs/{id}/thumbnail',
    async (context) => {
      const { principal, params, query } = context
      const { item, rights } = await requireItem(parts, principal, params.id, context)
      const version = await requireContent(db, item, rights === 'owner', 'id')
      const side = Number(query.size ?? '256')
      const picture = await parts.thumbnailer.thumbnail(item, version, side)
      if (picture === undefined) throw new NotFound()
      return new ContentAnswer({
        filename: `${item.name}.webp`,
        type: 'image/webp',
        size: picture.length,
        etag: `${version.sha256.toString('hex')}-${side}`,
        isShown: true,
        maxAge: 86_400,
        read: async function* (start, length) {
          yield picture.subarray(start, start + length)
        },
      })
    },
    offer,
  )

  api.serveContent(
    'GET /api/v4/fs/downloads/{downloadId}',
    async (context) =>
      new ContentAnswer(await openDownload(parts, context.params.downloadId, useOf(context))),
    offer,
  )

  api.serveContent(
    'GET /api/v4/fs/previews/{previewId}',
    async ({ params }) => new ContentAnswer(await openPreview(parts, params.previewId)),
    offer,
  )
}

/** Returns an item's page for the requesting user. */
export async function itemDetail(parts: FileParts, reach: Reach, principal: Principal): Promise<FileDetail> {
  const { db } = parts
  const { item, by } = reach
  const path = await pathTo(db, item.id, by?.rootId)
  const all = item.id === by?.rootId ? [] : await parentsOf(db, item.id)
  // in another owner's tree, only the path from the shared item is visible
  const seen = new Set(path.map((step) => step.id))
  const owner = await ownerOf(parts, item.ownerId, principal)
  const isShared = reach.rights === 'owner' && (await isGivenAway(db, item.id))
  return presentDetail(reach, {
    reader: principal,
    isShared,
    parents: by === undefined ? all : all.filter((id) => seen.has(id)),
    path: item.id === by?.rootId ? [] : path,
    version: await versionOf(db, item),
    versions: await countVersions(db, item.id),
    ...(owner && { owner }),
  })
}

/** Returns the owner of an item; undefined for the reader's own. */
async function ownerOf({ db }: FileParts, ownerId: number, reader: Principal) {
  return ownerId === reader.userId ? undefined : (await ownersOf(db, [ownerId])).get(ownerId)
}

interface Context {
  readonly principal: Principal
  readonly t: Parameters<typeof requireItem>[3]['t']
  readonly language: Parameters<typeof requireItem>[3]['language']
}

/** Returns the target collection; null is the user's root, which requires the feature. */
export async function targetPlace(parts: FileParts, context: Context, id: string | null | undefined) {
  const place = await placeFor(parts.db, context.principal, id == null ? [] : [id])
  if (place.ownerId === context.principal.userId) await requireFiles(parts, context.principal, context)
  return place
}

async function reachAll(
  parts: FileParts,
  context: Context,
  ids: readonly string[],
  may: (reach: Reach) => boolean,
): Promise<Reach[]> {
  const reaches: Reach[] = []
  for (const id of new Set(ids)) {
    reaches.push(await requireItem(parts, context.principal, id, context, may))
  }
  return reaches
}

/** Returns the client of a download and the requested range. */
export function useOf(context: {
  readonly ip: string
  readonly inspect: () => { readonly headers: Readonly<Record<string, string>> }
}): Use {
  return { ip: context.ip, hasRange: context.inspect().headers.range !== undefined }
}
