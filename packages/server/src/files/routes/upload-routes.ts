import type { itemUpdate } from '@gatehouse/contract/files/file-uploads'
import type { routes } from '@gatehouse/contract/routes'
import type { z } from 'zod'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import type { UploadContext } from '../../platform/http/call.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import { actorOf } from '../../users/actor.ts'
import { requireFiles, requireItem } from '../access.ts'
import { holderOf } from '../downloads/tickets.ts'
import { FileConflict, NoContent } from '../errors.ts'
import { nameProblem, normaliseName } from '../file-name.ts'
import type { FileParts } from '../file-parts.ts'
import { maxChunkSize } from '../file-settings.ts'
import { changeItem } from '../items/change-item.ts'
import { createCollection } from '../items/create-collection.ts'
import type { Item } from '../items/item.ts'
import { findByProperty } from '../items/item-store.ts'
import { idsOfHeader, placeFor } from '../items/parents.ts'
import { itemsNamed } from '../items/tree-store.ts'
import { mayChange, type Reach } from '../policy.ts'
import { presentFull } from '../present.ts'
import type { Upload } from '../uploads/upload-store.ts'
import { openUploadsOf } from '../uploads/upload-store.ts'
import type { NewUpload } from '../uploads/uploads.ts'
import { isContentOf, type NewItem, newItemProblems, propertiesOf, requireNone } from './create-input.ts'

interface Offer {
  readonly isOffered: boolean
}

type Creation = UploadContext<(typeof routes)['POST /api/v4/fs']>
type Changes = z.output<typeof itemUpdate>
type Update = UploadContext<(typeof routes)['PUT /api/v4/fs/{id}']>

/** Routes for creating items, replacing content and uploading in chunks. */
export function serveUploads(api: Api, parts: FileParts, offer: Offer): void {
  const { db, clock, settings, uploads } = parts
  // chunks committed before the upload ends are not a file yet
  const resumable = { ...offer, isResumable: true }

  api.serveUpload(
    'POST /api/v4/fs',
    async (context) => {
      const { body: wanted, isContent } = await context.readFields(isContentOf)
      const place = await placeOf(parts, context, wanted)
      requireNone(newItemProblems(wanted))
      if (wanted.type === 'collection') {
        const item = await makeCollection(parts, context, wanted, place)
        return { status: 'success', message: context.t('files.collection-created'), id: item.id }
      }
      const upload = await newUpload(parts, context, wanted, place)
      if (!isContent) {
        const { secret } = await uploads.begin(upload)
        return { status: 'success', uploadId: secret, uploaded: 0, maxChunkSize: maxChunkSize(settings) }
      }
      const item = await sendWhole(parts, context, {
        ...upload,
        size: wanted.size ?? context.announcedBytes ?? null,
      })
      return { status: 'success', message: context.t('files.file-created'), ...presentFull(item) }
    },
    resumable,
  )

  api.serveUpload(
    'PUT /api/v4/fs/{id}',
    async (context) => {
      const { principal, params, t } = context
      const reach = await requireItem(parts, principal, params.id, context, mayChange)
      const { item } = reach
      const { body: wanted, isContent } = await context.readFields(({ media }) => media === 'content')
      const media = wanted.media ?? 'metadata'
      if (media === 'metadata') {
        const changed = await changeMetadata(parts, context, reach, wanted)
        const text = item.type === 'file' ? 'files.file-updated' : 'files.collection-updated'
        return { status: 'success', message: t(text), ...presentFull(changed) }
      }
      // a body that was parsed as fields is no longer content
      if (media !== 'resumable' && !isContent) {
        throw new ValidationError({ media: message('validation.invalidvalue') })
      }
      if (item.type === 'collection') throw new NoContent()
      if (!isContent && wanted.size == null)
        throw new ValidationError({ size: message('validation.required') })
      const upload = replacement(context, item, wanted)
      if (!isContent) {
        const { secret } = await uploads.begin(upload)
        return { status: 'success', uploadId: secret, uploaded: 0, maxChunkSize: maxChunkSize(settings) }
      }
      const size = wanted.size ?? context.announcedBytes ?? null
      const changed = await sendWhole(parts, context, { ...upload, size })
      return { status: 'success', message: t('files.file-updated'), ...presentFull(changed) }
    },
    resumable,
  )

  api.serve(
    'GET /api/v4/fs/uploads',
    async ({ principal }) => {
      const open = await openUploadsOf(db, principal.userId, clock.now())
      const list = open
        // uploads in a single request can't be resumed
        .filter((upload) => upload.size !== null)
        .map((upload) => ({
          uploadId: uploads.secretOf(upload.id),
          name: upload.name,
          size: upload.size ?? upload.received,
          uploaded: upload.received,
          maxChunkSize: maxChunkSize(settings),
          parent: upload.parents[0] ?? null,
          item: upload.itemId,
          created_at: wireDate(upload.createdAt),
          expires_at: wireDate(upload.expiresAt),
        }))
      return { list, count: list.length }
    },
    offer,
  )

  api.serveUpload(
    'POST /api/v4/fs/uploads/{uploadId}',
    async (context) => {
      const upload = await uploads.find(context.params.uploadId, context.principal?.userId)
      const { from } = context.read()
      if (upload.finishedItemId !== null)
        return finished(context, await uploads.finish(upload, upload.received))
      const progress = await uploads.receive(upload, Number(from), context.stream, context.announcedBytes)
      if (progress.isComplete) return finished(context, progress.item)
      return { status: 'success', uploadId: context.params.uploadId, uploaded: progress.received }
    },
    resumable,
  )

  api.serve(
    'GET /api/v4/fs/uploads/{uploadId}',
    async ({ params, principal }) => {
      const upload = await uploads.find(params.uploadId, principal?.userId)
      return presentUpload(parts, params.uploadId.toLowerCase(), upload)
    },
    {
      ...offer,
      headers: (answer) => {
        const { uploaded, size } = answer as { uploaded: number; size?: number } // as just presented
        return { 'upload-offset': String(uploaded), 'upload-length': String(size ?? uploaded) }
      },
    },
  )

  api.serve(
    'DELETE /api/v4/fs/uploads/{uploadId}',
    async ({ params, principal, t }) => {
      const upload = await uploads.find(params.uploadId, principal?.userId)
      await uploads.discard(upload)
      return { status: 'success', message: t('files.upload-cancelled') }
    },
    offer,
  )
}

function finished(context: Pick<Creation, 't'>, item: Item) {
  return { status: 'success' as const, message: context.t('files.upload-done'), ...presentFull(item) }
}

function presentUpload({ settings }: FileParts, uploadId: string, upload: Upload) {
  if (upload.finishedItemId !== null) {
    const id = upload.finishedItemId
    return { status: 'success' as const, uploadId, uploaded: upload.received, isComplete: true as const, id }
  }
  return {
    status: 'success' as const,
    uploadId,
    uploaded: upload.received,
    maxChunkSize: maxChunkSize(settings),
    size: upload.size ?? upload.received,
    isComplete: false as const,
    expires_at: wireDate(upload.expiresAt),
  }
}

type NewPlace = Awaited<ReturnType<typeof placeFor>>

/** Returns the parents of a new item. Adding to the user's own collections or root requires the feature. */
async function placeOf(parts: FileParts, context: Creation, wanted: NewItem): Promise<NewPlace> {
  const { principal, headers } = context
  // the feature is checked before the collections
  const ids = [
    ...(wanted.parent == null ? [] : [wanted.parent]),
    ...(idsOfHeader(headers['x-kolab-parents']) ?? []),
  ]
  if (ids.length === 0) await requireFiles(parts, principal, context)
  const place = await placeFor(parts.db, principal, ids)
  if (place.ownerId === principal.userId) await requireFiles(parts, principal, context)
  return place
}

/** Returns the user's own item to reuse instead of creating one, if the request asks for that. */
async function reused(parts: FileParts, context: Creation, wanted: NewItem, place: NewPlace) {
  const key = wanted['deduplicate-property']
  const value = wanted['deduplicate-value']
  // an empty value must not match arbitrary items
  if (key == null || value == null || place.ownerId !== context.principal.userId) return undefined
  const type = wanted.type === 'collection' ? 'collection' : 'file'
  return findByProperty(parts.db, place.ownerId, type, { key, value })
}

async function makeCollection(
  parts: FileParts,
  context: Creation,
  wanted: NewItem,
  place: NewPlace,
): Promise<Item> {
  const { principal } = context
  const properties = propertiesOf(wanted)
  const reuse = await reused(parts, context, wanted, place)
  const collection = {
    ownerId: place.ownerId,
    tenantId: place.tenantId,
    parents: place.parents,
    name: normaliseName(wanted.name ?? ''),
    properties,
    conflict: wanted.conflict ?? 'keep',
    ...(reuse !== undefined && { reuse }),
    createdBy: principal.userId,
  }
  return createCollection(parts, collection, actorOf(principal, context))
}

async function newUpload(
  parts: FileParts,
  context: Creation,
  wanted: NewItem,
  place: NewPlace,
): Promise<NewUpload> {
  const { principal, headers } = context
  const name = normaliseName(wanted.name ?? '')
  const reuse = await reused(parts, context, wanted, place)
  if (wanted.conflict === 'fail') {
    // rejects the upload before gigabytes are sent in vain; checked again at the end
    const where = { parentId: place.parents[0] ?? null, ownerId: place.ownerId }
    if ((await itemsNamed(parts.db, where, [name])).length > 0) throw new FileConflict('files.name-taken')
  }
  const isResumable = wanted.media === 'resumable'
  const type = isResumable ? undefined : String(headers['content-type'] ?? '')
  return {
    ...uploader(context),
    ownerId: place.ownerId,
    tenantId: place.tenantId,
    itemId: null,
    parents: place.parents,
    name,
    size: wanted.size ?? null,
    facts: {
      ...contentFacts(wanted),
      ...(type && { mimetype: type.slice(0, 256) }),
      conflict: wanted.conflict ?? 'keep',
      properties: propertiesOf(wanted),
      ...(reuse !== undefined && { reuse: reuse.id }),
      actor: actorOf(principal, context),
    },
  }
}

/** Builds the input for replacing content. The media type is detected, as other clients expect. */
function replacement(context: Update, item: Item, wanted: Changes): NewUpload {
  const { principal, headers } = context
  const [, tag] = /^\s*"([0-9a-f]{64})"\s*$/.exec(String(headers['if-match'] ?? '')) ?? []
  return {
    ...uploader(context),
    ownerId: item.ownerId,
    tenantId: item.tenantId,
    itemId: item.id,
    parents: [],
    name: item.name,
    size: wanted.size ?? null,
    facts: {
      ...contentFacts(wanted),
      ...(tag !== undefined && { ifMatch: tag }),
      actor: actorOf(principal, context),
    },
  }
}

function uploader({ principal }: Pick<Creation, 'principal'>) {
  const holder = holderOf(principal)
  return { userId: principal.userId, sessionId: 'sessionId' in holder ? holder.sessionId : null }
}

function contentFacts({ mtime, sha256 }: { mtime?: number | null; sha256?: string | null }) {
  return { ...(mtime != null && { mtime }), ...(sha256 != null && { sha256 }) }
}

/** Stores content sent in a single request, all or nothing. */
async function sendWhole(
  { uploads }: FileParts,
  context: Pick<Creation, 'stream' | 'announcedBytes'>,
  wanted: NewUpload,
): Promise<Item> {
  const { upload } = await uploads.begin(wanted)
  try {
    const progress = await uploads.receive(upload, 0, context.stream, context.announcedBytes)
    if (progress.isComplete) return progress.item
    if (upload.size !== null) throw new ValidationError({ size: message('files.too-few-bytes') })
    return await uploads.finish(upload, progress.received)
  } catch (error) {
    await uploads.discard(upload)
    throw error
  }
}

async function changeMetadata(
  parts: FileParts,
  context: Update,
  reach: Reach,
  wanted: Changes,
): Promise<Item> {
  const { principal, headers } = context
  const name = wanted.name == null ? undefined : normaliseName(wanted.name)
  const problem = name === undefined ? undefined : nameProblem(name)
  if (problem !== undefined) throw new ValidationError({ name: problem })
  const parents = idsOfHeader(headers['x-kolab-parents'])
  const addParents = idsOfHeader(headers['x-kolab-add-parents'])
  const removeParents = idsOfHeader(headers['x-kolab-remove-parents'])
  const change = {
    ...(name !== undefined && { name }),
    ...(parents !== undefined && { parents }),
    ...(addParents !== undefined && { addParents }),
    ...(removeParents !== undefined && { removeParents }),
  }
  return changeItem(parts, principal, reach, change, actorOf(principal, context))
}
