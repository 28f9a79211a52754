import type { FileVersion } from '@gatehouse/contract/files/file-history'
import { after, day, wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { actorOf } from '../../users/actor.ts'
import { fileEvents } from '../../users/events/event-list.ts'
import { requireFiles, requireItem } from '../access.ts'
import { requireHarmless } from '../downloads/content.ts'
import { downloadAddress, holderOf } from '../downloads/tickets.ts'
import type { FileParts } from '../file-parts.ts'
import type { Item } from '../items/item.ts'
import { ownersOf } from '../items/list-store.ts'
import { mayChange, mayEndForGood, mayReadItemEvents, maySeeVersions } from '../policy.ts'
import { quotaOf } from '../quota.ts'
import { pageOf } from '../read-query.ts'
import { emptyTrash, purgeItem } from '../trash/purge-items.ts'
import { restoreItems } from '../trash/restore-items.ts'
import { countTrash, readTrashed, trashOf } from '../trash/trash-store.ts'
import { usageOf } from '../usage-store.ts'
import { readVersion, type Version, versionsOf } from '../version-store.ts'
import { deleteVersion, restoreVersion } from '../versions.ts'

interface Offer {
  readonly isOffered: boolean
}

/** Routes for versions, trash, activity and storage use. */
export function serveHistory(api: Api, parts: FileParts, offer: Offer): void {
  const { db, settings } = parts

  api.serve(
    'GET /api/v4/fs/{id}/versions',
    async (context) => {
      const { item } = await requireItem(parts, context.principal, context.params.id, context, maySeeVersions)
      const versions = await versionsOf(db, item.id)
      const makers = await ownersOf(
        db,
        versions.flatMap(({ createdBy }) => createdBy ?? []),
      )
      const list = versions.map((version) => presentVersion(parts, version, makers))
      return { list, count: list.length }
    },
    offer,
  )

  api.serve(
    'GET /api/v4/fs/{id}/versions/{version}',
    async (context) => {
      const { principal, params } = context
      const { item, rights } = await requireItem(parts, principal, params.id, context, maySeeVersions)
      const version = await requireVersion(parts, item.id, params.version)
      requireHarmless(version, rights === 'owner')
      const makers = await ownersOf(db, version.createdBy === null ? [] : [version.createdBy])
      const downloadUrl = await downloadAddress(parts, holderOf(principal), item, version)
      return { ...presentVersion(parts, version, makers), downloadUrl }
    },
    offer,
  )

  api.serve(
    'POST /api/v4/fs/{id}/versions/{version}/restore',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayChange)
      const version = await requireVersion(parts, item.id, params.version)
      if (version.replacedAt === null) throw ValidationError.at('version', 'files.version-current')
      await restoreVersion(parts, item, version, actorOf(principal, context))
      return { status: 'success', message: t('files.version-restored') }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/fs/{id}/versions/{version}',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayEndForGood)
      const version = await requireVersion(parts, item.id, params.version)
      if (version.replacedAt === null) throw ValidationError.at('version', 'files.version-current')
      await deleteVersion(parts, item, version, actorOf(principal, context))
      return { status: 'success', message: t('files.version-deleted') }
    },
    offer,
  )

  api.serve(
    'GET /api/v4/fs/{id}/events',
    async (context) => {
      const { principal, params, query, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayReadItemEvents)
      return fileEvents(db, { id: item.id, ownerId: item.ownerId }, query, t)
    },
    offer,
  )

  api.serve(
    'GET /api/v4/fs/trash',
    async (context) => {
      const { principal, query } = context
      await requireFiles(parts, principal, context)
      const { sort, order, search } = query
      const page = pageOf(query)
      const rows = await trashOf(db, principal.userId, {
        search: search ?? null,
        sort: sort ?? 'deleted',
        order: order ?? (sort == null || sort === 'deleted' ? 'desc' : 'asc'),
        ...page,
      })
      const total = await countTrash(db, principal.userId, search ?? null)
      const list = rows.map(({ item, deletedAt, items, totalSize, from, deletedBy }) => ({
        id: item.id,
        type: item.type,
        name: item.name,
        size: item.size,
        mimetype: item.mimetype,
        created_at: wireDate(item.createdAt),
        updated_at: wireDate(item.updatedAt),
        deleted_at: wireDate(deletedAt),
        expires_at: wireDate(after(deletedAt, settings.FILES_TRASH_DAYS * day)),
        items,
        total_size: totalSize,
        from,
        deleted_by: deletedBy,
      }))
      return { list, count: list.length, hasMore: page.offset + list.length < total, total }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/fs/trash',
    async (context) => {
      const { principal, t } = context
      await requireFiles(parts, principal, context)
      await emptyTrash(parts, principal.userId, actorOf(principal, context))
      return { status: 'success', message: t('files.trash-emptied') }
    },
    { ...offer, isResumable: true },
  )

  api.serve(
    'POST /api/v4/fs/trash/restore',
    async (context) => {
      const { principal, body, t } = context
      await requireFiles(parts, principal, context)
      const items: Item[] = []
      for (const id of new Set(body.ids)) items.push(await requireTrashed(parts, principal, id))
      await restoreItems(parts, items, actorOf(principal, context))
      return { status: 'success', message: t('files.items-restored', { count: items.length }) }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/fs/trash/{id}',
    async (context) => {
      const { principal, params, t } = context
      await requireFiles(parts, principal, context)
      const item = await requireTrashed(parts, principal, params.id)
      if (!(await purgeItem(parts, item, actorOf(principal, context)))) throw new NotFound()
      return { status: 'success', message: t('files.items-purged') }
    },
    offer,
  )

  api.serve(
    'GET /api/v4/fs/quota',
    async (context) => {
      const { principal } = context
      await requireFiles(parts, principal, context)
      const usage = await usageOf(db, principal.userId)
      return {
        limit: await quotaOf(db, principal.userId, settings.FILES_FREE_GIB),
        ...usage,
        trash_days: settings.FILES_TRASH_DAYS,
        versions_kept: settings.FILES_VERSIONS,
        version_days: settings.FILES_VERSION_DAYS,
      }
    },
    offer,
  )
}

/** Returns the version of an item named by a path. Throws NotFound. */
async function requireVersion({ db }: FileParts, itemId: string, id: string): Promise<Version> {
  const version = isUuid(id) ? await readVersion(db, id) : undefined
  if (version?.itemId !== itemId) throw new NotFound()
  return version
}

async function requireTrashed({ db }: FileParts, { userId }: Principal, id: string) {
  const item = isUuid(id) ? await readTrashed(db, userId, id) : undefined
  if (item === undefined) throw new NotFound()
  return item
}

function presentVersion(
  { settings }: FileParts,
  version: Version,
  makers: ReadonlyMap<number, { readonly email: string }>,
): FileVersion {
  const { replacedAt } = version
  return {
    id: version.id,
    number: version.number,
    isCurrent: replacedAt === null,
    size: version.size,
    mimetype: version.mimetype,
    sha256: version.sha256.toString('hex'),
    created_at: wireDate(version.createdAt),
    user: version.createdBy === null ? null : (makers.get(version.createdBy)?.email ?? null),
    kept_until: replacedAt && wireDate(after(replacedAt, settings.FILES_VERSION_DAYS * day)),
  }
}
