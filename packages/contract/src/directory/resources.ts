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

/** State of resources and of shared folders. */
export const mailboxFlags = z.object({
  isActive: z.boolean(),
  isDeleted: z.boolean(),
  isImapReady: z.boolean(),
  /** Only when LDAP is on. */
  isLdapReady: z.boolean().optional(),
  isReady: z.boolean(),
})

export type MailboxFlags = z.infer<typeof mailboxFlags>

export const resourceSortKeys = ['name', 'email', 'created'] as const

export const resourceListItem = objectListItem.extend({
  email: z.string(),
  name: z.string(),
  ...mailboxFlags.shape,
})

export type ResourceListItem = z.infer<typeof resourceListItem>

export const resourceConfig = z.object({
  /** `accept`, `reject` or `manual:<address>` of a user of the account. */
  invitation_policy: z.string(),
})

export type ResourceConfig = z.infer<typeof resourceConfig>

export const resourceDetail = objectDetail.extend({
  email: z.string(),
  name: z.string(),
  ...mailboxFlags.shape,
  config: resourceConfig,
})

export type ResourceDetail = z.infer<typeof resourceDetail>

export const newResourceInput = z.object({
  name: z.string().max(1024).nullish(),
  /** Name of one of the account's own domains. */
  domain: z.string().max(1024).nullish(),
})

export type NewResourceInput = z.input<typeof newResourceInput>

export const resourceUpdate = z.object({ name: z.string().max(1024).nullish(), revision: revisionInput })

export type ResourceUpdate = z.input<typeof resourceUpdate>

export const resourceRoutes = defineRoutes({
  'GET /api/v4/resources': {
    summary: 'Resources of the accounts that the caller owns or controls',
    tag: 'Resources',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: objectListQuery.extend({ sort: z.enum(resourceSortKeys).nullish() }),
    ok: pagedList(resourceListItem).extend({ total: z.number().int(), message: z.string() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/resources': {
    summary: 'Create a resource',
    tag: 'Resources',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    body: newResourceInput,
    ok: successEnvelope.extend({ id: objectId }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/resources/{id}': {
    summary: 'One resource',
    tag: 'Resources',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    ok: resourceDetail,
    errors: [401, 403, 404],
  },
  'PUT /api/v4/resources/{id}': {
    summary: 'Rename a resource',
    tag: 'Resources',
    auth: 'token',
    hosts: ['user'],
    openTo: borrowedCallers,
    params: objectIdParams,
    body: resourceUpdate,
    ok: successEnvelope.extend({ revision: z.string() }),
    errors: [401, 403, 404, 409, 422],
  },
  'DELETE /api/v4/resources/{id}': {
    summary: 'Delete a resource',
    tag: 'Resources',
    auth: 'token',
    hosts: ['user'],
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/resources/{id}/restore': {
    summary: 'Bring a deleted resource back',
    tag: 'Resources',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({}),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/resources/{id}/skus': {
    summary: 'Subscriptions that a resource has or may have',
    tag: 'Resources',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: z.array(sku),
    errors: [401, 403, 404],
  },
  'GET /api/v4/resources/{id}/status': {
    summary: 'Set-up progress and state of a resource',
    tag: 'Resources',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    query: statusQuery,
    ok: objectStatusInfo.extend({ ...mailboxFlags.shape, ...refreshOutcome }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/resources/{id}/config': {
    summary: 'Change settings of a resource; all keys or none',
    tag: 'Resources',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: z.looseObject({ invitation_policy: z.string().max(1024).nullish() }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
})
