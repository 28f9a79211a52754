import { z } from 'zod'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { fileCall, fileScopes, fullItem, itemId, itemParams, secretFileCall } from './file-items.ts'

/**
 * Creating and replacing content. Small content goes in one request; larger in chunks, or by the tus protocol
 * (https://tus.io, version 1.0.0) at `/api/v4/fs/tus`, whose `Upload-Metadata` takes `name`, `parent` (a collection),
 * `item` (a file whose content is replaced), `conflict`, `mimetype`, `mtime` and `sha256`, and whose `Upload-Offset` is the
 * one that `GET …/uploads/{uploadId}` tells: both ways are the same uploads.
 */

/** SHA-256 in hexadecimal. */
export const contentHash = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{64}$/i)

/** Bytes of one file at most, 16 TiB. */
export const maxFileBytes = 2 ** 44

export const uploadId = z.uuid()

/** A started upload; `uploadId` is the right to go on with it, until 6 h after the last chunk. */
export const startedUpload = successStatus.extend({
  uploadId,
  /** Bytes that are stored so far. */
  uploaded: z.number().int(),
  /** Bytes that one chunk has at most. */
  maxChunkSize: z.number().int(),
})

export type StartedUpload = z.infer<typeof startedUpload>

/** A file that is complete. `message` says so in words. */
export const completedFile = successEnvelope.extend(fullItem.shape)

export type CompletedFile = z.infer<typeof completedFile>

/**
 * What to do where the collection has an item of that name. `keep` (default): both stay, names need not be unique;
 * `rename`: the new one is called `name (2).ext`; `fail`: a 409; `replace`: a file of that name gets the content as a new version.
 */
export const nameConflict = z.enum(['keep', 'rename', 'fail', 'replace'])

export type NameConflict = z.infer<typeof nameConflict>

/** Facts about content that its sender may tell. */
const contentFacts = {
  /** `resumable`: in chunks; `content`: the body is all of it. */
  media: z.string().max(32).nullish(),
  /** Bytes altogether; needed with `media=resumable`. */
  size: z.coerce.number<string | number>().int().min(0).max(maxFileBytes).nullish(),
  /** Of the whole content: what arrives is held against it, and refused (422) when it is not that. */
  sha256: contentHash.nullish(),
  /** When the content last changed, Unix seconds; absent: now. */
  mtime: z.coerce.number<string | number>().int().min(0).max(253_402_300_799).nullish(),
}

/**
 * Input of `POST /api/v4/fs`. It stands in the query when the body is content; a collection, and the start of an upload,
 * may have it as JSON or form as well. Keys `property-<name>` are free properties. The headers `Content-Type` (the media
 * type, else it is detected) and `X-Kolab-Parents` (ids of collections, divided by commas) count too.
 */
export const newItemInput = z.looseObject({
  /** `collection`, else a file. */
  type: z.string().max(32).nullish(),
  name: z.string().max(2048).nullish(),
  parent: itemId.nullish(),
  ...contentFacts,
  conflict: nameConflict.nullish(),
  /** Collections only; kept for mobile back-ups. */
  deviceId: z.string().max(1024).nullish(),
  collectionType: z.string().max(1024).nullish(),
  /** An own item of the type whose property has exactly this value is used instead of a new one. */
  'deduplicate-property': z.string().max(191).nullish(),
  'deduplicate-value': z.string().max(65_535).nullish(),
})

export type NewItemInput = z.input<typeof newItemInput>

/**
 * Input of `PUT /api/v4/fs/{id}`. `media` absent or `metadata`: rename and move; what is absent stays. The headers
 * `X-Kolab-Parents` (the whole set), `X-Kolab-Add-Parents` and `X-Kolab-Remove-Parents` move, each with ids of collections divided
 * by commas. `If-Match` with an ETag of the content makes a change of the content a 409 where somebody was faster.
 */
export const itemUpdate = z.object({
  name: z.string().max(2048).nullish(),
  ...contentFacts,
})

export type ItemUpdate = z.input<typeof itemUpdate>

/** An upload that is not complete. */
export const openUpload = z.object({
  uploadId,
  name: z.string(),
  /** Bytes altogether. */
  size: z.number().int(),
  uploaded: z.number().int(),
  maxChunkSize: z.number().int(),
  /** Collection that it goes into; null: the root, or the file in `item` is replaced. */
  parent: z.uuid().nullable(),
  /** The file whose content it replaces; null: a new one. */
  item: z.uuid().nullable(),
  created_at: wireDate,
  expires_at: wireDate,
})

export type OpenUpload = z.infer<typeof openUpload>

/** The secret in the address is enough; a token, where one is sent, must be that of who began the upload. */
const uploadCall = { ...secretFileCall, auth: 'optional', scopes: fileScopes } as const

const uploadParams = z.object({ uploadId: z.string().max(64) })

export const fileUploadRoutes = defineRoutes({
  'POST /api/v4/fs': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Create a file from the body, start a resumable upload, or create a collection',
    upload: true,
    body: newItemInput,
    // the fullest form first: each of the others is a part of one before it
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
   * The body is the chunk. `from` must be the bytes that are stored, else a 409 whose `uploaded` tells them; so does a 409
   * while somebody else sends. A chunk that breaks off is kept as far as it came.
   */
  'POST /api/v4/fs/uploads/{uploadId}': {
    ...uploadCall,
    openTo: borrowedCallers,
    summary: 'Send the next chunk of an upload; the last one returns the file',
    upload: true,
    params: uploadParams,
    body: z.object({
      /** Bytes before this chunk. */
      from: z.coerce.string<string | number>().max(15).regex(/^\d+$/),
    }),
    ok: z.union([completedFile, successStatus.extend({ uploadId, uploaded: z.number().int() })]),
    errors: [403, 404, 409, 422],
  },
  /** HEAD answers the same in the headers `Upload-Offset` and `Upload-Length`. A finished upload is told for an hour. */
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
