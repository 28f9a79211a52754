import { z } from 'zod'
import { wireDate } from '../envelope.ts'

/** Schemas of files and collections shared by all file calls. */

/** Both scopes grant access to files: `fs` for file managers and mobile backups, `api` for the portal. */
export const fileScopes = ['api', 'fs'] as const

/** Files exist on the user host only. */
export const fileCall = { tag: 'Files', auth: 'token', hosts: ['user'], scopes: fileScopes } as const

/** The same for callers authenticated by a secret in the URL. */
export const secretFileCall = { tag: 'Files', auth: 'public', hosts: ['user'] } as const

/** Default page size. */
export const filePageSize = 100

/** Maximum length of a name in UTF-8 bytes. */
export const maxFileName = 512

/** Maximum number of items that one call moves, deletes, restores or archives. */
export const maxFileSelection = 1000

/** Media types that browsers may display inline from a preview URL; everything else is only downloaded. */
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

/** The ID of an item (a UUID), or of a share that grants the caller access (`share-<UUID>`). */
export const itemId = z.string().max(64)

export const itemParams = z.object({ id: itemId })

export const itemType = z.enum(['file', 'collection', 'unknown'])

export type ItemType = z.infer<typeof itemType>

/** `read-only`: view and download; `read-write`: also change, and in a collection add and delete. */
export const shareRights = z.enum(['read-only', 'read-write'])

export type ShareRights = z.infer<typeof shareRights>

/** Owner of the item, if not the caller. */
export const fileOwner = z.object({ email: z.string(), name: z.string() })

/** What the caller may do; a control is shown exactly if its call is allowed. */
export const itemFlags = z.object({
  isOwner: z.boolean(),
  /** Rename, move, replace; for collections also add. */
  canUpdate: z.boolean(),
  canDelete: z.boolean(),
  /** Share it by address and by link. */
  canShare: z.boolean(),
})

export type ItemFlags = z.infer<typeof itemFlags>

/**
 * A file or collection in a list. Other clients read the first five properties; the rest is ours. A collection
 * has size 0 and no media type.
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
  /** The item itself is shared by address or link. Returned to the owner only; others get `false`. */
  isShared: z.boolean(),
  /** `GET …/thumbnail` returns an image of it. */
  hasThumbnail: z.boolean(),
  /** It can be displayed inline: `?previewUrl=1` returns a URL for that. */
  hasPreview: z.boolean(),
  /** Absent if it is the caller's own. */
  owner: fileOwner.optional(),
})

export type FileItem = z.infer<typeof fileItem>

/** One step of the path from the root, or from the shared item, to an item. */
export const pathStep = z.object({ id: z.uuid(), name: z.string() })

/** One item with all details. */
export const fileDetail = fileItem.extend({
  /** Collections that contain it and are visible to the caller; empty for the root. */
  parents: z.array(z.uuid()),
  /** The collections above it, outermost first; if it is in several, those of the oldest. */
  path: z.array(pathStep),
  /** SHA-256 of the content in hexadecimal; null for a collection. */
  sha256: z.string().nullable(),
  /**
   * Number of kept versions, including the current one; 0 for a collection. Returned to the owner only; others
   * get 1.
   */
  versions: z.number().int(),
  /** Result of the virus scan; `off` if the installation has none. `infected` files can't be downloaded. */
  scan: z.enum(['off', 'waiting', 'clean', 'infected']),
  /** The share that grants the caller access; absent if it is the caller's own. */
  share: z.object({ id: z.string(), permissions: shareRights }).optional(),
  /**
   * With `downloadUrl=1`: a URL that starts one download within 60 s, which can be resumed with ranges for a
   * day.
   */
  downloadUrl: z.string().optional(),
  /** With `previewUrl=1`: a URL that displays the content for an hour; types in `previewTypes` only. */
  previewUrl: z.string().optional(),
})

export type FileDetail = z.infer<typeof fileDetail>

/** The full form of an item that other clients get after creating or changing it, with its ID. */
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

/** `1` requests it. */
export const asked = z.enum(['0', '1', 'true', 'false']).nullish()

export const filePage = {
  page: z.coerce.number<string | number>().int().min(1).max(1_000_000).nullish(),
  /** Page size; defaults to 100. */
  size: z.coerce.number<string | number>().int().min(1).max(500).nullish(),
}

/** Items that a call applies to. */
export const selectedItems = z.array(itemId).min(1).max(maxFileSelection)
