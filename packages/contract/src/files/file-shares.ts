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
 * Giving items to others. By address: whoever has that address in this tenant opens it signed in, `…/file/share-<UUID>`; a shared
 * collection is browsed with `GET /api/v4/fs?parent=<its id or the share's>`. By link: whoever has the link, signed in or not.
 */

/** A share by address. */
export const filePermission = z.object({
  id: z.string(),
  /** Lower case; need not exist. */
  user: z.string(),
  permissions: shareRights,
  /** Address of the page that opens it. */
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

/** A link, as the owner of the item sees it. */
export const fileLink = z.object({
  id: z.uuid(),
  /** The address to hand on, `<public url>/link/<token>`; it can be seen again at any time. */
  link: z.string(),
  hasPassword: z.boolean(),
  /** Null: it does not end by itself. */
  expires_at: wireDate.nullable(),
  /** Null: any number. */
  max_downloads: z.number().int().nullable(),
  downloads: z.number().int(),
  last_used_at: wireDate.nullable(),
  created_at: wireDate,
  /** It opens: neither its time nor its downloads are used up. */
  isOpen: z.boolean(),
})

export type FileLink = z.infer<typeof fileLink>

/** Absent keys stay as they are when a link is changed; null takes the limit or the password away. */
export const linkInput = z.object({
  password: z.string().max(255).nullish(),
  /** `YYYY-MM-DD HH:MM:SS`, UTC, in the future. */
  expires_at: wireDate.nullish(),
  max_downloads: z.coerce.number<string | number>().int().min(1).max(1_000_000).nullish(),
})

export type LinkInput = z.input<typeof linkInput>

/** An item that was shared with the caller. `id` is the item's; `share.id` opens it as well. */
export const sharedItem = fileItem.extend({
  owner: fileOwner,
  share: z.object({ id: z.string(), permissions: shareRights, created_at: wireDate, link: z.string() }),
})

export type SharedItem = z.infer<typeof sharedItem>

/** An item as a visitor of a link sees it. */
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

/** What `open` gave; absent: the link has no password and needs none. */
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
   * Unknown, ended and used-up links are one 404; guessing is throttled (429). A wrong password is a 422 at `password`, as is
   * none where one is needed.
   */
  'POST /api/v4/fs/links/{token}/open': {
    ...secretFileCall,
    summary: 'Open a link; returns its item and an `access` token for one hour',
    params: linkParams,
    body: z.object({ password: z.string().max(255).nullish() }),
    ok: successStatus.extend({
      /** Shows for an hour that the password was right. */
      access: z.string(),
      item: linkedItem,
      owner: fileOwner.pick({ name: true }),
      expires_at: wireDate.nullable(),
      /** Null: any number. */
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
   * One file as it is, a collection or several items as a zip archive. The address begins one download within 60 s, which counts
   * against `max_downloads` when it begins; a preview does not count, and is refused where downloads are limited.
   */
  'POST /api/v4/fs/links/{token}/download': {
    ...secretFileCall,
    summary: 'Get a URL for downloading or previewing linked items',
    params: linkParams,
    body: z.object({
      access,
      /** Items below what the link opens; absent: that itself. */
      ids: z.array(itemId).max(1000).nullish(),
      /** Look at one file in place; for types of `previewTypes`. */
      preview: z.boolean().nullish(),
    }),
    bodyLimit: 64 * 1024,
    ok: successStatus.extend({ downloadUrl: z.string(), name: z.string() }),
    errors: [403, 404, 422, 429],
  },
})
