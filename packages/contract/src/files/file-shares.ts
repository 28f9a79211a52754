import { z } from 'zod'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { pagedList } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import {
  fileCall,
  fileItem,
  fileOrder,
  fileOwner,
  filePage,
  itemId,
  itemParams,
  pathStep,
  secretFileCall,
  shareRights,
} from './file-items.ts'

/**
 * Sharing items. By address: users with that address in the tenant open it signed in, `…/file/share-<UUID>`; a
 * shared collection is listed with `GET /api/v4/fs?parent=<its ID or the share's>`. By link: anyone with the
 * link, signed in or not.
 */

/** A share by address. */
export const filePermission = z.object({
  id: z.string(),
  /** Lower case; needn't exist. */
  user: z.string(),
  permissions: shareRights,
  /** URL of the page that opens it. */
  link: z.string(),
  created_at: wireDate,
})

export type FilePermission = z.infer<typeof filePermission>

export const permissionInput = z.object({
  user: z.string().max(1024).nullish(),
  /** `read-only` or `read-write`. */
  permissions: z.string().max(32).nullish(),
})

export type PermissionInput = z.input<typeof permissionInput>

/** A link, as returned to the owner of the item. */
export const fileLink = z.object({
  id: z.uuid(),
  /** The public URL, `<public url>/link/<token>`; it can be read again at any time. */
  link: z.string(),
  hasPassword: z.boolean(),
  /** Null if it doesn't expire. */
  expires_at: wireDate.nullable(),
  /** Null if unlimited. */
  max_downloads: z.number().int().nullable(),
  downloads: z.number().int(),
  last_used_at: wireDate.nullable(),
  created_at: wireDate,
  /** It works: neither expired nor out of downloads. */
  isOpen: z.boolean(),
})

export type FileLink = z.infer<typeof fileLink>

/** Absent keys stay unchanged when a link is updated; null removes the limit or the password. */
export const linkInput = z.object({
  password: z.string().max(255).nullish(),
  /** `YYYY-MM-DD HH:MM:SS`, UTC, in the future. */
  expires_at: wireDate.nullish(),
  max_downloads: z.coerce.number<string | number>().int().min(1).max(1_000_000).nullish(),
})

export type LinkInput = z.input<typeof linkInput>

/** An item shared with the caller. `id` is the item's; `share.id` opens it as well. */
export const sharedItem = fileItem.extend({
  owner: fileOwner,
  share: z.object({ id: z.string(), permissions: shareRights, created_at: wireDate, link: z.string() }),
})

export type SharedItem = z.infer<typeof sharedItem>

/** An item as returned to visitors of a link. */
export const linkedItem = fileItem.pick({
  id: true,
  type: true,
  name: true,
  size: true,
  mimetype: true,
  mtime: true,
  hasPreview: true,
})

export type LinkedItem = z.infer<typeof linkedItem>

const linkParams = z.object({ token: z.string().max(128) })
const ownLinkParams = z.object({ id: itemId, link: z.string().max(64) })
const permissionParams = z.object({ id: itemId, permission: z.string().max(64) })

/** Token returned by `open`; not needed for links without a password. */
const access = z.string().max(128).nullish()

export const fileShareRoutes = defineRoutes({
  'GET /api/v4/fs/{id}/permissions': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'List shares of an item by address, for its owner',
    params: itemParams,
    ok: z.object({ list: z.array(filePermission), count: z.number().int() }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/fs/{id}/permissions': {
    ...fileCall,
    openTo: [],
    summary: 'Share an item with an address',
    params: itemParams,
    body: permissionInput,
    ok: successEnvelope.extend(filePermission.shape),
    errors: [401, 403, 404, 422],
  },
  'PUT /api/v4/fs/{id}/permissions/{permission}': {
    ...fileCall,
    openTo: [],
    summary: 'Change address or rights of a share',
    params: permissionParams,
    body: permissionInput,
    ok: successEnvelope.extend(filePermission.shape),
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/fs/{id}/permissions/{permission}': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'Remove a share',
    params: permissionParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'GET /api/v4/fs/shared': {
    ...fileCall,
    openTo: borrowedCallers,
    summary: 'List items that others share with the caller',
    query: z.object({ search: z.string().max(191).nullish(), ...fileOrder, ...filePage }),
    ok: pagedList(sharedItem).extend({ total: z.number().int() }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/fs/{id}/links': {
    ...fileCall,
    openTo: [],
    scopes: ['api'],
    summary: 'List links to an item, for its owner',
    params: itemParams,
    ok: z.object({ list: z.array(fileLink), count: z.number().int() }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/fs/{id}/links': {
    ...fileCall,
    openTo: [],
    scopes: ['api'],
    summary: 'Create a link to an item',
    params: itemParams,
    body: linkInput,
    ok: successEnvelope.extend(fileLink.shape),
    errors: [401, 403, 404, 422],
  },
  'PUT /api/v4/fs/{id}/links/{link}': {
    ...fileCall,
    openTo: [],
    scopes: ['api'],
    summary: "Change password, expiry or download limit of a link; omitted keys don't change",
    params: ownLinkParams,
    body: linkInput,
    ok: successEnvelope.extend(fileLink.shape),
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/fs/{id}/links/{link}': {
    ...fileCall,
    openTo: borrowedCallers,
    scopes: ['api'],
    summary: 'Remove a link; running downloads are aborted',
    params: ownLinkParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  /**
   * Unknown, expired and used-up links all return 404; guessing is throttled (429). A wrong or missing password
   * is a 422 at `password`.
   */
  'POST /api/v4/fs/links/{token}/open': {
    ...secretFileCall,
    summary: 'Open a link; returns its item and an `access` token for one hour',
    params: linkParams,
    body: z.object({ password: z.string().max(255).nullish() }),
    ok: successStatus.extend({
      /** Proves for an hour that the password was entered. */
      access: z.string(),
      item: linkedItem,
      owner: fileOwner.pick({ name: true }),
      expires_at: wireDate.nullable(),
      /** Null if unlimited. */
      downloads_left: z.number().int().nullable(),
    }),
    errors: [404, 422, 429],
  },
  'GET /api/v4/fs/links/{token}': {
    ...secretFileCall,
    summary: 'Check whether a link exists and needs a password, without revealing its item',
    params: linkParams,
    ok: z.object({ requiresPassword: z.boolean() }),
    errors: [404, 429],
  },
  'GET /api/v4/fs/links/{token}/items': {
    ...secretFileCall,
    summary: 'List the contents of a linked collection or one of its descendants, collections first, by name',
    params: linkParams,
    query: z.object({ access, parent: itemId.nullish(), ...filePage }),
    ok: pagedList(linkedItem).extend({ total: z.number().int(), path: z.array(pathStep) }),
    errors: [403, 404, 422, 429],
  },
  /**
   * One file as it is; a collection or several items as a ZIP archive. The URL starts one download within 60 s,
   * which counts against `max_downloads` when it starts. A preview doesn't count, and is refused if downloads
   * are limited.
   */
  'POST /api/v4/fs/links/{token}/download': {
    ...secretFileCall,
    summary: 'Get a URL for downloading or previewing linked items',
    params: linkParams,
    body: z.object({
      access,
      /** Items below the linked item; defaults to the linked item itself. */
      ids: z.array(itemId).max(1000).nullish(),
      /** Displays one file inline; for types in `previewTypes`. */
      preview: z.boolean().nullish(),
    }),
    bodyLimit: 64 * 1024,
    ok: successStatus.extend({ downloadUrl: z.string(), name: z.string() }),
    errors: [403, 404, 422, 429],
  },
})
