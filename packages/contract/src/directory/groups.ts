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
import { objectId, objectIdParams } from './users.ts'

/** Distribution lists, `groups` on the wire. */

export const groupFlags = z.object({
  isActive: z.boolean(),
  isSuspended: z.boolean(),
  isDeleted: z.boolean(),
  /** Only when LDAP is on. */
  isLdapReady: z.boolean().optional(),
  isReady: z.boolean(),
})

export type GroupFlags = z.infer<typeof groupFlags>

export const groupSortKeys = ['name', 'email', 'created', 'members'] as const

export const groupListItem = objectListItem.extend({
  email: z.string(),
  name: z.string(),
  /** How many recipients it names. */
  members: z.number().int(),
  ...groupFlags.shape,
})

export type GroupListItem = z.infer<typeof groupListItem>

export const groupConfig = z.object({
  /** Who may send to the list: addresses, domains or suffixes with a leading dot; empty: everybody. */
  sender_policy: z.array(z.string()),
})

export type GroupConfig = z.infer<typeof groupConfig>

export const groupDetail = objectDetail.extend({
  email: z.string(),
  name: z.string(),
  /** Sorted, lower case. */
  members: z.array(z.string()),
  ...groupFlags.shape,
  config: groupConfig,
})

export type GroupDetail = z.infer<typeof groupDetail>

/** Recipients of one list at most. */
export const maxMembers = 10_000

/** Bytes of a body with so many addresses. */
export const membersLimit = 1024 * 1024

const addresses = z.array(z.string().max(1024).nullable()).max(maxMembers).nullish()

export const newGroupInput = z.object({
  email: z.string().max(1024).nullish(),
  name: z.string().max(1024).nullish(),
  members: addresses,
})

export type NewGroupInput = z.input<typeof newGroupInput>

/** Absent keys stay as they are; `members` are the whole wanted state. */
export const groupUpdate = z.object({
  name: z.string().max(1024).nullish(),
  members: addresses,
  revision: revisionInput,
})

export type GroupUpdate = z.input<typeof groupUpdate>

const texts = z.union([z.string().max(1024), z.array(z.string().max(1024).nullable()).max(1000)]).nullish()

export const groupRoutes = defineRoutes({
  'GET /api/v4/groups': {
    summary: 'Distribution lists of the accounts that the caller owns or controls',
    tag: 'Distribution lists',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: objectListQuery.extend({ sort: z.enum(groupSortKeys).nullish() }),
    ok: pagedList(groupListItem).extend({ total: z.number().int(), message: z.string() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/groups': {
    summary: 'Create a distribution list',
    tag: 'Distribution lists',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    body: newGroupInput,
    bodyLimit: membersLimit,
    ok: successEnvelope.extend({ id: objectId }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/groups/{id}': {
    summary: 'One distribution list',
    tag: 'Distribution lists',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    ok: groupDetail,
    errors: [401, 403, 404],
  },
  'PUT /api/v4/groups/{id}': {
    summary: 'Change a distribution list; absent keys stay as they are',
    tag: 'Distribution lists',
    auth: 'token',
    hosts: ['user'],
    openTo: borrowedCallers,
    params: objectIdParams,
    body: groupUpdate,
    bodyLimit: membersLimit,
    ok: successEnvelope.extend({ revision: z.string() }),
    errors: [401, 403, 404, 409, 422],
  },
  'DELETE /api/v4/groups/{id}': {
    summary: 'Delete a distribution list',
    tag: 'Distribution lists',
    auth: 'token',
    hosts: ['user'],
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/groups/{id}/restore': {
    summary: 'Bring a deleted distribution list back',
    tag: 'Distribution lists',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({}),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/groups/{id}/skus': {
    summary: 'Subscriptions that a distribution list has or may have',
    tag: 'Distribution lists',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: z.array(sku),
    errors: [401, 403, 404],
  },
  'GET /api/v4/groups/{id}/status': {
    summary: 'Set-up progress and state of a distribution list',
    tag: 'Distribution lists',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    query: statusQuery,
    ok: objectStatusInfo.extend({ ...groupFlags.shape, ...refreshOutcome }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/groups/{id}/config': {
    summary: 'Change settings of a distribution list; all keys or none',
    tag: 'Distribution lists',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: z.looseObject({ sender_policy: texts }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
})
