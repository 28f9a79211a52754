import { z } from 'zod'
import { successEnvelope, successStatus } from '../envelope.ts'
import { pagedList } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { fileHistoryRoutes } from './file-history.ts'
import {
  asked,
  fileCall,
  fileDetail,
  fileItem,
  fileOrder,
  filePage,
  itemId,
  itemParams,
  pathStep,
  secretFileCall,
  selectedItems,
} from './file-items.ts'
import { fileShareRoutes } from './file-shares.ts'
import { fileUploadRoutes, nameConflict } from './file-uploads.ts'

/**
 * Files. Users without `enableFiles` get a 403 for their own files; items shared by others are open to every
 * signed-in user. Items that belong to someone else and aren't shared return 403, in another tenant 404.
 */

/** Query of a file list. */
export const fileListQuery = z.object({
  /** Part of the name, case-insensitive. */
  search: z.string().max(191).nullish(),
  /** A collection, own or shared, or a share of one; absent for the root. */
  parent: itemId.nullish(),
  /** `collection` returns collections only; any other value files only. */
  type: z.string().max(32).nullish(),
  ...fileOrder,
  /** `1` lists collections before files, regardless of the order. */
  collections_first: asked,
  /** `1` includes all subfolders in the search. */
  recursive: asked,
  ...filePage,
})

const empty = z.object({})

export const fileRoutes = defineRoutes({
  'GET /api/v4/fs': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'List files and collections in a collection or the root',
    query: fileListQuery,
    ok: pagedList(
      fileItem.extend({
        /** Path of a match below the searched collection. */
        path: z.array(pathStep).optional(),
      }),
    ).extend({
      /** Rows on all pages. */
      total: z.number().int(),
      /** The listed collection; null for the root. */
      collection: fileDetail.nullable(),
    }),
    errors: [401, 403, 404, 422],
  },
  /**
   * With `download=1` the response is the content itself, as from a download URL. HEAD with it returns length,
   * ETag and media type.
   */
  'GET /api/v4/fs/{id}': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Get a file or collection; with `download=1`, its content',
    content: true,
    params: itemParams,
    query: z.object({ downloadUrl: asked, previewUrl: asked, download: asked }),
    ok: fileDetail,
    errors: [401, 403, 404, 416, 422],
  },
  'DELETE /api/v4/fs/{id}': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Move a file, or a collection with its contents, to the trash',
    params: itemParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/fs/{id}/copy': {
    ...fileCall,
    openTo: borrowedCallers,
    summary:
      'Copy a file, or a collection with its contents. Content is stored once but counts towards the quota again',
    params: itemParams,
    body: z.object({
      /** Target collection; absent or null for the root. */
      parent: itemId.nullish(),
      /** Name of the copy; defaults to the original's. */
      name: z.string().max(2048).nullish(),
      conflict: nameConflict.nullish(),
    }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: [401, 403, 404, 409, 422],
  },
  'POST /api/v4/fs/move': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Move several items to one collection, all or none; removes them from all other collections',
    body: z.object({
      ids: selectedItems,
      /** Null for the root. */
      parent: itemId.nullish(),
    }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/fs/zip': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Get a URL for downloading items as a ZIP archive, including the contents of collections',
    body: z.object({
      ids: selectedItems,
      /** Name of the archive without `.zip`; defaults to that of a single item. */
      name: z.string().max(255).nullish(),
    }),
    ok: successStatus.extend({ downloadUrl: z.string(), name: z.string() }),
    errors: [401, 403, 404, 422],
  },
  /** Returns a WebP image with an ETag; `size` is the longer side in pixels. 404 if there is none. */
  'GET /api/v4/fs/{id}/thumbnail': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Get a thumbnail of an image',
    content: true,
    params: itemParams,
    query: z.object({ size: z.enum(['64', '256', '1024']).nullish() }),
    ok: empty,
    errors: [401, 403, 404, 422, 503],
  },
  /**
   * Content with length, ETag, ranges (RFC 9110) and HEAD, always as an attachment. The first request must come
   * within 60 s; later only ranges of the same content for the same network address, for a day.
   */
  'GET /api/v4/fs/downloads/{downloadId}': {
    ...secretFileCall,
    summary: 'Get the content behind a download URL',
    content: true,
    params: z.object({ downloadId: z.string().max(128) }),
    ok: empty,
    errors: [403, 404, 416],
  },
  /**
   * Content of an allow-listed type, displayed inline in a sandbox; with ranges and HEAD. Our pages display PDFs
   * in a frame, so the response allows `frame-ancestors 'self'` and `X-Frame-Options: SAMEORIGIN`. Everything
   * but PDF has `sandbox` in its policy; browsers' PDF viewers don't work in a sandbox, neither of a policy nor
   * of a frame.
   */
  'GET /api/v4/fs/previews/{previewId}': {
    ...secretFileCall,
    summary: 'Get the content behind a preview URL',
    content: true,
    params: z.object({ previewId: z.string().max(128) }),
    ok: empty,
    errors: [403, 404, 416],
  },
  ...fileUploadRoutes,
  ...fileHistoryRoutes,
  ...fileShareRoutes,
})
