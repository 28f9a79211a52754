import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { auditEvent } from '../events.ts'
import { pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { fileCall, fileItem, fileOrder, filePage, itemId, itemParams, selectedItems } from './file-items.ts'

/** File versions, the trash, the history of an item, and storage quotas. */

export const fileVersion = z.object({
  id: z.uuid(),
  /** Counts from 1 per file; the highest isn't always the current one. */
  number: z.number().int(),
  isCurrent: z.boolean(),
  /** Bytes. */
  size: z.number().int(),
  mimetype: z.string(),
  /** SHA-256 of the content in hexadecimal. */
  sha256: z.string(),
  created_at: wireDate,
  /** Who created it; null if unknown. */
  user: z.string().nullable(),
  /** Latest time until which it is kept; null for as long as the file. */
  kept_until: wireDate.nullable(),
})

export type FileVersion = z.infer<typeof fileVersion>

const versionParams = z.object({ id: itemId, version: z.string().max(64) })

/** An item in the trash. The contents of a deleted collection are part of it and not listed separately. */
export const trashItem = fileItem
  .pick({ id: true, type: true, name: true, size: true, mimetype: true, created_at: true, updated_at: true })
  .extend({
    deleted_at: wireDate,
    /** When it is deleted permanently. */
    expires_at: wireDate,
    /** Number of items deleted with a collection. */
    items: z.number().int(),
    /** Total bytes. */
    total_size: z.number().int(),
    /** Name of the collection that it was in, or null for the root. */
    from: z.string().nullable(),
    /** Who deleted it, if not the owner. */
    deleted_by: z.string().nullable(),
  })

export type TrashItem = z.infer<typeof trashItem>

/** Bytes that a user may use and uses. Files in the trash and old versions count. */
export const fileQuota = z.object({
  /** From the user's storage units. */
  limit: z.number().int(),
  used: z.number().int(),
  /** Part of `used`: files in the trash. */
  trash: z.number().int(),
  /** Part of `used`: old versions. */
  versions: z.number().int(),
  /** Part of `used`: incomplete uploads. */
  uploads: z.number().int(),
  /** Retention of the trash in days. */
  trash_days: z.number().int(),
  /** Maximum number of old versions kept per file, and for how many days. */
  versions_kept: z.number().int(),
  version_days: z.number().int(),
})

export type FileQuota = z.infer<typeof fileQuota>

export const fileHistoryRoutes = defineRoutes({
  'GET /api/v4/fs/{id}/versions': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'List versions of a file, newest first, for its owner and users with write access',
    params: itemParams,
    ok: z.object({ list: z.array(fileVersion), count: z.number().int() }),
    errors: [401, 403, 404],
  },
  'GET /api/v4/fs/{id}/versions/{version}': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Get a version with a download URL that is valid for 60 s',
    params: versionParams,
    ok: fileVersion.extend({ downloadUrl: z.string() }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/fs/{id}/versions/{version}/restore': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Restore a version; the current content is kept as a version',
    params: versionParams,
    body: z.object({}),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/fs/{id}/versions/{version}': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Delete a version permanently, except the current one',
    params: versionParams,
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/fs/{id}/events': {
    ...fileCall,
    openTo: borrowedCallers,
    scopes: ['api'],
    summary: 'List activity of a file or collection, newest first, for its owner',
    params: itemParams,
    query: pageQuery,
    ok: pagedList(auditEvent),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/fs/trash': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: "List the caller's deleted items, newest first by default",
    query: z.object({
      search: z.string().max(191).nullish(),
      sort: z.enum(['deleted', 'name', 'size']).nullish(),
      order: fileOrder.order,
      ...filePage,
    }),
    ok: pagedList(trashItem).extend({ total: z.number().int() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/fs/trash': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Move several items to the trash, all or none',
    body: z.object({ ids: selectedItems }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/fs/trash': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Empty the trash; deletes its items permanently',
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/fs/trash/restore': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Restore items from the trash to their collection, or to the root if it no longer exists',
    body: z.object({ ids: selectedItems }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/fs/trash/{id}': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Delete an item from the trash permanently, with everything deleted along with it',
    params: itemParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'GET /api/v4/fs/quota': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: "Get the caller's storage limit and usage",
    ok: fileQuota,
    errors: [401, 403, 404],
  },
})
