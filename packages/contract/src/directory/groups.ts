import { z } from 'zod'
import { plainSwitch } from '../policies.ts'
import { objectDetail, objectListItem, revisionInput } from './directory.ts'
import { kindRoutes, updateRoute } from './kind-routes.ts'

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
  /** Number of members. */
  members: z.number().int(),
  ...groupFlags.shape,
})

export type GroupListItem = z.infer<typeof groupListItem>

export const groupConfig = z.object({
  /**
   * Who may send to the list: addresses, domains or suffixes with a leading dot; empty: everyone, unless
   * `members_may_send` is set.
   */
  sender_policy: z.array(z.string()),
  /** Members may send in addition to those in `sender_policy`, and no one else may. */
  members_may_send: z.boolean(),
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

/** Maximum members of one list. */
export const maxMembers = 10_000

/** Body limit in bytes for this many addresses. */
export const membersLimit = 1024 * 1024

const addresses = z.array(z.string().max(1024).nullable()).max(maxMembers).nullish()

export const newGroupInput = z.object({
  email: z.string().max(1024).nullish(),
  name: z.string().max(1024).nullish(),
  members: addresses,
})

export type NewGroupInput = z.input<typeof newGroupInput>

/** Absent keys stay unchanged; `members` is the complete desired state. */
export const groupUpdate = z.object({
  name: z.string().max(1024).nullish(),
  members: addresses,
  revision: revisionInput,
})

export type GroupUpdate = z.input<typeof groupUpdate>

const texts = z.union([z.string().max(1024), z.array(z.string().max(1024).nullable()).max(1000)]).nullish()

export const groupRoutes = {
  ...kindRoutes('group', {
    sorts: groupSortKeys,
    item: groupListItem,
    detail: groupDetail,
    flags: groupFlags,
    create: newGroupInput,
    config: z.looseObject({ sender_policy: texts, members_may_send: plainSwitch.optional() }),
    bodyLimit: membersLimit,
  }),
  ...updateRoute('group', {
    summary: "Change a distribution list; omitted keys don't change",
    body: groupUpdate,
    bodyLimit: membersLimit,
  }),
}
