import { z } from 'zod'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { fileCall, fileScopes, fullItem, itemId, itemParams, secretFileCall } from './file-items.ts'

/**
 * Creating and replacing content. Small content is sent in one request; larger content in chunks, or with the
 * tus protocol (https://tus.io, version 1.0.0) at `/api/v4/fs/tus`, whose `Upload-Metadata` accepts `name`,
 * `parent` (a collection), `item` (a file whose content is replaced), `conflict`, `mimetype`, `mtime` and
 * `sha256`. Its `Upload-Offset` is the one that `GET …/uploads/{uploadId}` returns: both use the same uploads.
 */

/** SHA-256 in hexadecimal. */
export const contentHash = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{64}$/i)

/** Maximum file size in bytes, 16 TiB. */
export const maxFileBytes = 2 ** 44

export const uploadId = z.uuid()

/** A started upload; `uploadId` authorizes its continuation until 6 h after the last chunk. */
export const startedUpload = successStatus.extend({
  uploadId,
  /** Number of bytes stored so far. */
  uploaded: z.number().int(),
  /** Maximum bytes per chunk. */
  maxChunkSize: z.number().int(),
})

export type StartedUpload = z.infer<typeof startedUpload>

/** A completed file. `message` is localised. */
export const completedFile = successEnvelope.extend(fullItem.shape)

export type CompletedFile = z.infer<typeof completedFile>

/**
 * What to do if the collection has an item with the same name. `keep` (default): both stay, names needn't be
 * unique; `rename`: the new one is called `name (2).ext`; `fail`: returns 409; `replace`: the existing file
 * gets the content as a new version.
 */
export const nameConflict = z.enum(['keep', 'rename', 'fail', 'replace'])

export type NameConflict = z.infer<typeof nameConflict>

/** Metadata that the sender of content may specify. */
const contentFacts = {
  /** `resumable`: sent in chunks; `content`: the body is the whole content. */
  media: z.string().max(32).nullish(),
  /** Total bytes; required with `media=resumable`. */
  size: z.coerce.number<string | number>().int().min(0).max(maxFileBytes).nullish(),
  /** Hash of the whole content, which is verified; a mismatch is a 422. */
  sha256: contentHash.nullish(),
  /** When the content last changed, in Unix seconds; defaults to now. */
  mtime: z.coerce.number<string | number>().int().min(0).max(253_402_300_799).nullish(),
}

/**
 * Input of `POST /api/v4/fs`. It is in the query if the body is content; a collection, and the start of an
 * upload, may also send it as JSON or form. Keys `property-<name>` are custom properties. The headers
 * `Content-Type` (the media type, otherwise detected) and `X-Kolab-Parents` (comma-separated collection IDs)
 * apply too.
 */
export const newItemInput = z.looseObject({
  /** `collection`, or else a file. */
  type: z.string().max(32).nullish(),
  name: z.string().max(2048).nullish(),
  parent: itemId.nullish(),
  ...contentFacts,
  conflict: nameConflict.nullish(),
  /** Collections only; stored for mobile backups. */
  deviceId: z.string().max(1024).nullish(),
  collectionType: z.string().max(1024).nullish(),
  /**
   * Instead of creating an item, uses the caller's own one of this type whose property has exactly this value.
   */
  'deduplicate-property': z.string().max(191).nullish(),
  'deduplicate-value': z.string().max(65_535).nullish(),
})

export type NewItemInput = z.input<typeof newItemInput>

/**
 * Input of `PUT /api/v4/fs/{id}`. Without `media`, or with `metadata`, it renames and moves; absent values
 * stay unchanged. The headers `X-Kolab-Parents` (the complete set), `X-Kolab-Add-Parents` and
 * `X-Kolab-Remove-Parents` move the item, each with comma-separated collection IDs. `If-Match` with an ETag
 * returns 409 if the content was changed meanwhile.
 */
export const itemUpdate = z.object({
  name: z.string().max(2048).nullish(),
  ...contentFacts,
})

export type ItemUpdate = z.input<typeof itemUpdate>

/** An incomplete upload. */
export const openUpload = z.object({
  uploadId,
  name: z.string(),
  /** Total bytes. */
  size: z.number().int(),
  uploaded: z.number().int(),
  maxChunkSize: z.number().int(),
  /** Target collection; null for the root, or if the file in `item` is replaced. */
  parent: z.uuid().nullable(),
  /** The file whose content is replaced; null for a new one. */
  item: z.uuid().nullable(),
  created_at: wireDate,
  expires_at: wireDate,
})

export type OpenUpload = z.infer<typeof openUpload>

/** The secret in the URL is sufficient; a token, if sent, must belong to the user who started the upload. */
const uploadCall = { ...secretFileCall, auth: 'optional', scopes: fileScopes } as const

const uploadParams = z.object({ uploadId: z.string().max(64) })

export const fileUploadRoutes = defineRoutes({
  'POST /api/v4/fs': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Create a file from the body, start a resumable upload, or create a collection',
    upload: true,
    body: newItemInput,
    // the fullest form first: each of the others is a subset of an earlier one
    ok: z.union([completedFile, startedUpload, successEnvelope.extend({ id: z.uuid() })]),
    errors: [401, 403, 404, 409, 422],
  },
  'PUT /api/v4/fs/{id}': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Rename or move a file or collection, or replace the content of a file',
    upload: true,
    params: itemParams,
    body: itemUpdate,
    ok: z.union([completedFile, startedUpload]),
    errors: [401, 403, 404, 405, 409, 422],
  },
  'GET /api/v4/fs/uploads': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: "List the caller's unfinished uploads, newest first",
    ok: z.object({ list: z.array(openUpload), count: z.number().int() }),
    errors: [401, 403, 404],
  },
  /**
   * The body is the chunk. `from` must equal the number of stored bytes; otherwise a 409 returns that number in
   * `uploaded`, as does a 409 while another request is sending. An interrupted chunk is kept as far as it was
   * received.
   */
  'POST /api/v4/fs/uploads/{uploadId}': {
    ...uploadCall,
    openTo: borrowedCallers,
    summary: 'Send the next chunk of an upload; the last one returns the file',
    upload: true,
    params: uploadParams,
    body: z.object({
      /** Offset of this chunk in bytes. */
      from: z.coerce.string<string | number>().max(15).regex(/^\d+$/),
    }),
    ok: z.union([completedFile, successStatus.extend({ uploadId, uploaded: z.number().int() })]),
    errors: [403, 404, 409, 422],
  },
  /**
   * HEAD returns the same in `Upload-Offset` and `Upload-Length`. A finished upload is returned for an hour.
   */
  'GET /api/v4/fs/uploads/{uploadId}': {
    ...uploadCall,
    openTo: borrowedCallers,
    summary: 'Get the progress of an upload',
    params: uploadParams,
    ok: z.union([
      startedUpload.extend({ size: z.number().int(), isComplete: z.literal(false), expires_at: wireDate }),
      successStatus.extend({
        uploadId,
        uploaded: z.number().int(),
        isComplete: z.literal(true),
        id: z.uuid(),
      }),
    ]),
    errors: [403, 404],
  },
  'DELETE /api/v4/fs/uploads/{uploadId}': {
    ...uploadCall,
    openTo: borrowedCallers,
    summary: 'Cancel an upload and delete its stored data',
    params: uploadParams,
    ok: successEnvelope,
    errors: [403, 404],
  },
})
