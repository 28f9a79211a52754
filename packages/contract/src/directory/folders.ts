import { z } from 'zod'
import { sku } from '../billing/subscriptions.ts'
import { successEnvelope } from '../envelope.ts'
import { pagedList } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import {
  objectDetail,
  objectListItem,
  objectListQuery,
  objectStatusInfo,
  refreshOutcome,
  revisionInput,
  statusQuery,
} from './directory.ts'
import { mailboxFlags } from './resources.ts'
import { objectId, objectIdParams } from './users.ts'

/** Shared folders, `shared-folders` on the wire. */

export const folderTypes = ['mail', 'event', 'contact', 'task', 'note', 'file'] as const

export type FolderType = (typeof folderTypes)[number]

/** The types on offer: mail always, the others where shared folders hold groupware. */
export function offeredFolderTypes(withGroupware: boolean): readonly FolderType[] {
  return withGroupware ? folderTypes : ['mail']
}

export const folderRights = ['read-only', 'read-write', 'full'] as const

export type FolderRight = (typeof folderRights)[number]

export const folderSortKeys = ['name', 'type', 'email', 'created'] as const

export const folderListItem = objectListItem.extend({
  email: z.string(),
  name: z.string(),
  type: z.enum(folderTypes),
  ...mailboxFlags.shape,
})

export type FolderListItem = z.infer<typeof folderListItem>

export const folderConfig = z.object({
  /** `<anyone or a user's address>, <right>`. */
  acl: z.array(z.string()),
})

export type FolderConfig = z.infer<typeof folderConfig>

export const folderDetail = objectDetail.extend({
  email: z.string(),
  name: z.string(),
  type: z.enum(folderTypes),
  /** Further addresses, of mail folders only. */
  aliases: z.array(z.string()),
  ...mailboxFlags.shape,
  config: folderConfig,
})

export type FolderDetail = z.infer<typeof folderDetail>

const aliases = z.array(z.string().max(1024).nullable()).max(1000).nullish()

export const newFolderInput = z.object({
  name: z.string().max(1024).nullish(),
  type: z.string().max(64).nullish(),
  /** Name of one of the account's own domains. */
  domain: z.string().max(1024).nullish(),
  aliases,
})

export type NewFolderInput = z.input<typeof newFolderInput>

/** Absent keys stay as they are; `aliases` are the whole wanted state. */
export const folderUpdate = z.object({
  name: z.string().max(1024).nullish(),
  aliases,
  revision: revisionInput,
})

export type FolderUpdate = z.input<typeof folderUpdate>

const texts = z.union([z.string().max(1024), z.array(z.string().max(1024).nullable()).max(1000)]).nullish()

export const folderRoutes = defineRoutes({
  'GET /api/v4/shared-folders': {
    summary: 'Shared folders of the accounts that the caller owns or controls',
    tag: 'Shared folders',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: objectListQuery.extend({ sort: z.enum(folderSortKeys).nullish() }),
    ok: pagedList(folderListItem).extend({ total: z.number().int(), message: z.string() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/shared-folders': {
    summary: 'Create a shared folder',
    tag: 'Shared folders',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    body: newFolderInput,
    ok: successEnvelope.extend({ id: objectId }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/shared-folders/{id}': {
    summary: 'One shared folder',
    tag: 'Shared folders',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    ok: folderDetail,
    errors: [401, 403, 404],
  },
  'PUT /api/v4/shared-folders/{id}': {
    summary: 'Change a shared folder; absent keys stay as they are',
    tag: 'Shared folders',
    auth: 'token',
    hosts: ['user'],
    openTo: borrowedCallers,
    params: objectIdParams,
    body: folderUpdate,
    ok: successEnvelope.extend({ revision: z.string() }),
    errors: [401, 403, 404, 409, 422],
  },
  'DELETE /api/v4/shared-folders/{id}': {
    summary: 'Delete a shared folder',
    tag: 'Shared folders',
    auth: 'token',
    hosts: ['user'],
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/shared-folders/{id}/restore': {
    summary: 'Bring a deleted shared folder back',
    tag: 'Shared folders',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({}),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/shared-folders/{id}/skus': {
    summary: 'Subscriptions that a shared folder has or may have',
    tag: 'Shared folders',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: z.array(sku),
    errors: [401, 403, 404],
  },
  'GET /api/v4/shared-folders/{id}/status': {
    summary: 'Set-up progress and state of a shared folder',
    tag: 'Shared folders',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    query: statusQuery,
    ok: objectStatusInfo.extend({ ...mailboxFlags.shape, ...refreshOutcome }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/shared-folders/{id}/config': {
    summary: 'Change settings of a shared folder; all keys or none',
    tag: 'Shared folders',
    auth: 'token',
    openTo: [],
    hosts: ['user'],
    params: objectIdParams,
    body: z.looseObject({ acl: texts }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
})
