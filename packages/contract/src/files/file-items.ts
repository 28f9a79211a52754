import { z } from 'zod'
import { wireDate } from '../envelope.ts'

/** Shapes of files and collections that all their calls share. */

/** Both scopes open files: `fs` for file managers and mobile back-ups, `api` for the portal. */
export const fileScopes = ['api', 'fs'] as const

/** Files exist on the users' host only. */
export const fileCall = { tag: 'Files', auth: 'token', hosts: ['user'], scopes: fileScopes } as const

/** The same for who is known by a secret in the address. */
export const secretFileCall = { tag: 'Files', auth: 'public', hosts: ['user'] } as const

/** Rows of one page of files unless told. */
export const filePageSize = 100

/** Bytes of a name at most, as UTF-8. */
export const maxFileName = 512

/** Items that one call moves, deletes, restores or packs at most. */
export const maxFileSelection = 1000

/** Media types that a browser may show in place, from a preview address; everything else is only saved. */
export const previewTypes = [
  'application/pdf',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/webm',
] as const

export type PreviewType = (typeof previewTypes)[number]

/** The id of an item (a UUID), or of a share by which the caller may reach it (`share-<UUID>`). */
export const itemId = z.string().max(64)

export const itemParams = z.object({ id: itemId })

export const itemType = z.enum(['file', 'collection', 'unknown'])

export type ItemType = z.infer<typeof itemType>

/** `read-only`: to look at and to load down; `read-write`: also to change, and in a collection to add and delete. */
export const shareRights = z.enum(['read-only', 'read-write'])

export type ShareRights = z.infer<typeof shareRights>

/** Whose item it is, where it is not the caller's. */
export const fileOwner = z.object({ email: z.string(), name: z.string() })

/** What the caller may do; a control is shown exactly when its call is allowed. */
export const itemFlags = z.object({
  isOwner: z.boolean(),
  /** Rename, move, replace; in a collection also to add. */
  canUpdate: z.boolean(),
  canDelete: z.boolean(),
  /** Give it to others, by address and by link. */
  canShare: z.boolean(),
})

export type ItemFlags = z.infer<typeof itemFlags>

/**
 * A file or collection as lists have it. The first five are what other clients read; the rest is ours. A collection has
 * size 0 and no media type.
 */
export const fileItem = z.object({
  id: z.uuid(),
  type: itemType,
  created_at: wireDate,
  updated_at: wireDate,
  name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  mimetype: z.string().nullable(),
  /** `YYYY-MM-DD HH:MM`, UTC: when the content last changed. */
  mtime: z.string(),
  ...itemFlags.shape,
  /** Somebody else can reach it: by address or link, of itself. Said to the owner only, others see `false`. */
  isShared: z.boolean(),
  /** `GET …/thumbnail` has a picture of it. */
  hasThumbnail: z.boolean(),
  /** It may be shown in place: `?previewUrl=1` gives an address for that. */
  hasPreview: z.boolean(),
  /** Absent: the caller's own. */
  owner: fileOwner.optional(),
})

export type FileItem = z.infer<typeof fileItem>

/** One step of the way from the root, or from what was shared, to an item. */
export const pathStep = z.object({ id: z.uuid(), name: z.string() })

/** One item with everything about it. */
export const fileDetail = fileItem.extend({
  /** Collections that it lies in, as far as the caller may see them; empty: it is in the root. */
  parents: z.array(z.uuid()),
  /** The collections above it, outermost first; of several places the oldest one. */
  path: z.array(pathStep),
  /** SHA-256 of the content in hexadecimal; null: a collection. */
  sha256: z.string().nullable(),
  /** Versions that are kept, the present one included; 0: a collection. Said to the owner only, others see 1. */
  versions: z.number().int(),
  /** Result of the virus scan; `off`: this installation has none. What is `infected` cannot be loaded down. */
  scan: z.enum(['off', 'waiting', 'clean', 'infected']),
  /** The share by which the caller reaches it; absent: the caller's own. */
  share: z.object({ id: z.string(), permissions: shareRights }).optional(),
  /** With `downloadUrl=1`: an address that begins one download within 60 s and may be resumed by ranges for a day. */
  downloadUrl: z.string().optional(),
  /** With `previewUrl=1`: an address that shows the content for an hour; for types of `previewTypes` only. */
  previewUrl: z.string().optional(),
})

export type FileDetail = z.infer<typeof fileDetail>

/** The full form of an item that other clients get after creating or changing it, with its id. */
export const fullItem = z.object({
  id: z.uuid(),
  type: itemType,
  name: z.string(),
  size: z.number().int(),
  mimetype: z.string().nullable(),
  created_at: wireDate,
  updated_at: wireDate,
})

export const fileSortKeys = ['name', 'size', 'mtime', 'created', 'type'] as const

export type FileSortKey = (typeof fileSortKeys)[number]

export const fileOrder = {
  sort: z.enum(fileSortKeys).nullish(),
  order: z.enum(['asc', 'desc']).nullish(),
}

/** `1` asks for it. */
export const asked = z.enum(['0', '1', 'true', 'false']).nullish()

export const filePage = {
  page: z.coerce.number<string | number>().int().min(1).max(1_000_000).nullish(),
  /** Rows of a page, 100 unless told. */
  size: z.coerce.number<string | number>().int().min(1).max(500).nullish(),
}

/** Items that a call is about. */
export const selectedItems = z.array(itemId).min(1).max(maxFileSelection)
