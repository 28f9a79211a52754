import { z } from 'zod'
import { objectDetail, objectListItem, revisionInput } from './directory.ts'
import { kindRoutes, updateRoute } from './kind-routes.ts'

/** Status flags of resources and shared folders. */
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

export const resourceRoutes = {
  ...kindRoutes('resource', {
    sorts: resourceSortKeys,
    item: resourceListItem,
    detail: resourceDetail,
    flags: mailboxFlags,
    create: newResourceInput,
    config: z.looseObject({ invitation_policy: z.string().max(1024).nullish() }),
  }),
  ...updateRoute('resource', { summary: 'Rename a resource', body: resourceUpdate }),
}
