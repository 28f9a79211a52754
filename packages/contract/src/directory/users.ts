import { z } from 'zod'
import { wantedSkus } from '../billing/subscriptions.ts'
import { emailAddress } from '../email-address.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { type PermissionFlag, permissionFlag, permissions } from '../permissions.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { mailStorage } from './mail-storage.ts'
import { fieldsWith, forFields, type UserFieldKind, userFieldNames, userFields } from './user-fields.ts'
import { userListFacts } from './user-list-facts.ts'

/** IDs of users, domains, lists, resources and folders: unsigned 32-bit numbers, shown as customer numbers. */
export const objectId = z.number().int().min(1).max(4_294_967_295)

/** Path parameter of an object; values that aren't valid IDs return "not found". */
export const objectIdParams = z.object({ id: z.string() })

export const wallet = z.object({
  id: z.uuid(),
  user_id: objectId,
  description: z.string().nullable(),
  currency: z.string(),
  /** Cents; may be negative. */
  balance: z.number().int(),
  discount_id: z.uuid().nullable(),
  /** Percent. */
  discount: z.number().int().nullable(),
  discount_description: z.string().nullable(),
  /** The owner's address; only if the wallet belongs to someone else. */
  user_email: z.string().optional(),
  provider: z.string(),
})

export type Wallet = z.infer<typeof wallet>

export const processStep = z.object({
  label: z.string(),
  title: z.string(),
  state: z.boolean(),
  link: z.string().optional(),
})

export const processState = z.enum(['done', 'running', 'failed', 'waiting'])

const setupProcess = z.object({
  process: z.array(processStep),
  processState,
  isDone: z.boolean(),
})

const permissionFlags = z.object(
  // fromEntries loses the type of the keys, which are exactly the permission flags
  Object.fromEntries(permissions.map((name) => [permissionFlag(name), z.boolean()])) as Record<
    PermissionFlag,
    z.ZodBoolean
  >,
)

export const statusInfo = setupProcess.extend({
  /** Sorted titles of the user's SKUs. */
  skus: z.array(z.string()),
  ...permissionFlags.shape,
})

export type StatusInfo = z.infer<typeof statusInfo>

export const userFlags = z.object({
  isActive: z.boolean(),
  isSuspended: z.boolean(),
  isDeleted: z.boolean(),
  isImapReady: z.boolean(),
  /** Only when LDAP is on. */
  isLdapReady: z.boolean().optional(),
  isDegraded: z.boolean(),
  isRestricted: z.boolean(),
  isReady: z.boolean(),
  isAccountDegraded: z.boolean(),
})

export type UserFlags = z.infer<typeof userFlags>

export const userInfo = userFlags.extend({
  id: objectId,
  email: z.string(),
  /** Bit mask, see `userStatus`. */
  status: z.number().int(),
  tenant_id: z.number().int().nullable(),
  created_at: wireDate,
  updated_at: wireDate,
  deleted_at: wireDate.nullable(),
  isLocked: z.boolean(),
  settings: z.partialRecord(z.enum(userFieldNames), z.string()),
  statusInfo,
  wallets: z.array(wallet),
  accounts: z.array(wallet),
  wallet,
})

export type UserInfo = z.infer<typeof userInfo>

/** Whether an account's users must have a second factor. */
export const secondFactorPolicy = z.enum(['optional', 'required'])

export type SecondFactorPolicy = z.infer<typeof secondFactorPolicy>

/**
 * Settings of a user and policies of the account, with defaults applied. The policies are those of the
 * account's owner.
 */
export const userConfig = z.object({
  greylist_policy: z.boolean(),
  itip_policy: z.boolean(),
  externalsender_policy: z.boolean(),
  externalsender_policy_domains: z.array(z.string()),
  password_policy: z.string().nullable(),
  /** Months. */
  max_password_age: z.string().nullable(),
  /** Null inherits the account's policy. */
  greylist_enabled: z.boolean().nullable(),
  itip_config: z.boolean().nullable(),
  externalsender_config: z.boolean().nullable(),
  guam_enabled: z.boolean(),
  /** Countries that the user may sign in from; empty allows all. */
  limit_geo: z.array(z.string()),
  /** Staff may sign in as users of the account; null inherits the installation's setting. */
  staff_access_policy: z.boolean().nullable(),
  /** Whether every user of the account must have a second factor; null inherits the installation's setting. */
  second_factor_policy: secondFactorPolicy.nullable(),
})

export type UserConfig = z.infer<typeof userConfig>

/** What the reader may do with a user: a control is shown exactly if its call is allowed. */
export const userRights = z.object({
  /** May change the profile. */
  canUpdate: z.boolean(),
  /** May change password, one-time link and external address, which decide who can sign in. */
  canChangeAccess: z.boolean(),
  canDelete: z.boolean(),
  canEditAliases: z.boolean(),
  canEditSubscriptions: z.boolean(),
  /** May change the user's settings; every controller of an account may change its policies. */
  canConfigure: z.boolean(),
  /** May change the user's delegates. */
  canDelegate: z.boolean(),
  /** May end all sessions of the user, or lock down the account. */
  canSignOut: z.boolean(),
  canReadEvents: z.boolean(),
})

export type UserRights = z.infer<typeof userRights>

/** Second factors, and devices that confirm sign-ins. */
export const protectionKinds = ['passkey', 'totp', 'companion'] as const

export const protectionKind = z.enum(protectionKinds)

export type ProtectionKind = z.infer<typeof protectionKind>

/** A user with the details for their own page. */
export const userDetail = userInfo.extend({
  /** Active subscriptions by SKU ID, with the cents per month of each unit. */
  skus: z.record(z.string(), z.object({ count: z.number().int(), costs: z.array(z.number().int()) })),
  config: userConfig,
  aliases: z.array(z.string()),
  /** The user's kinds of second factors; only returned to others. */
  factors: z.array(protectionKind).optional(),
  /** `<short>-<code>` of an active password link; only returned to its creator. */
  passwordLinkCode: z.string().optional(),
  mailStorage: mailStorage.optional(),
  /** Identifies the current profile, aliases and subscriptions; changes based on an older one are rejected. */
  revision: z.string(),
  ...userRights.shape,
})

export type UserDetail = z.infer<typeof userDetail>

export const userSortKeys = ['email', 'name', 'created'] as const

/** `pending`: not ready; `active`: ready, not suspended or degraded; `deleted`: can still be restored. */
export const userStates = ['active', 'pending', 'suspended', 'degraded', 'deleted'] as const

/** One row of the user list. */
export const userListItem = userFlags.extend({
  id: objectId,
  email: z.string(),
  ...forFields(fieldsWith('isListed'), () => z.string().nullable()),
  created_at: wireDate,
  deleted_at: wireDate.nullable(),
  /** Deadline for restoring a deleted user. */
  restorable_until: wireDate.nullable(),
  /** The owner of the account, who can't be deleted by other controllers. */
  isOwner: z.boolean(),
  /** The user's kinds of second factors. */
  factors: z.array(protectionKind),
  /** Only if requested, and not for deleted users. */
  facts: userListFacts.optional(),
})

export type UserListItem = z.infer<typeof userListItem>

type TextSchema = z.ZodType<string, string>

/** Schema for each kind of value, limited to `max` characters. */
const kinds: Readonly<Record<UserFieldKind, (max: number) => TextSchema>> = {
  // no control characters and no bidirectional overrides
  line: (max) =>
    z
      .string()
      .max(max)
      .regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u),
  // line breaks, but no other control characters
  lines: (max) =>
    z
      .string()
      .max(max)
      .regex(/^(?:[^\p{Cc}\u202a-\u202e\u2066-\u2069]|[\r\n\t])*$/u),
  phone: (max) =>
    z
      .string()
      .max(max)
      .regex(/^[0-9+() -]*$/),
  // has its own limit
  email: () => emailAddress,
  /** ISO 3166-1, two letters. */
  country: (max) =>
    z
      .string()
      .max(max)
      .regex(/^[A-Za-z]{2}$/),
  /** ISO 4217, three letters. */
  currency: (max) =>
    z
      .string()
      .max(max)
      .regex(/^[A-Za-z]{3}$/),
}

/** Null or an empty string removes the value. */
const profile = forFields(userFieldNames, (name) => {
  const { kind, max } = userFields[name]
  return kinds[kind](max).nullish()
})

/** Profile fields in the form for new users. */
export const newUserProfile = forFields(fieldsWith('isAskedFirst'), (name) => profile[name])

/**
 * Rules that depend on the account (address, package, password policy) are checked by the server, which adds
 * their errors.
 */
const credentials = {
  password: z.string().max(1024).nullish(),
  password_confirmation: z.string().max(1024).nullish(),
  /** `<short>-<code>` of an inactive link created by the caller, with which the user sets the password. */
  passwordLinkCode: z.string().max(128).nullish(),
}

const aliasesInput = z.array(z.string().max(1024).nullable()).max(1000).nullish()

export const newUserInput = z.object({
  email: z.string().max(1024).nullish(),
  package: z.string().max(191).nullish(),
  aliases: aliasesInput,
  ...profile,
  ...credentials,
})

export type NewUserInput = z.input<typeof newUserInput>

/** Absent keys stay unchanged. `aliases` and `skus` are the complete desired state. */
export const userUpdate = z.object({
  aliases: aliasesInput,
  /** Desired units by SKU ID; omitted SKUs mean none. */
  skus: wantedSkus.nullish(),
  /** The `revision` that the change is based on; returns 409 if it is stale. */
  revision: z.string().max(64).nullish(),
  ...profile,
  ...credentials,
})

export type UserUpdate = z.input<typeof userUpdate>

/** statusInfo and flags side by side; with `refresh` also the result of the retry. */
export const userStatusAnswer = statusInfo.extend(userFlags.shape).extend({
  status: z.enum(['success', 'error']).optional(),
  message: z.string().optional(),
})

export const userRoutes = defineRoutes({
  'GET /api/v4/users': {
    summary: 'List users in the accounts that the caller owns or controls',
    tag: 'Users',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: pageQuery.extend({
      /** Part of an address, alias, first or last name. */
      search: z.string().max(191).nullish(),
      sort: z.enum(userSortKeys).nullish(),
      order: z.enum(['asc', 'desc']).nullish(),
      status: z.enum(userStates).nullish(),
      /** `1` adds package, price, last sign-in, storage and rights to each row. */
      facts: z.enum(['0', '1']).nullish(),
    }),
    ok: pagedList(userListItem).extend({ total: z.number().int() }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/users/summary': {
    summary: 'Get the number, domains and monthly cost of the users that the caller manages',
    tag: 'Users',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    ok: z.object({
      users: z.number().int(),
      /** Number of domains in the users' addresses. */
      domains: z.number().int(),
      /** Cents per month after the discount, by currency; only for readers who may see wallets. */
      prices: z.array(z.object({ currency: z.string(), monthly: z.number().int() })).optional(),
    }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/users': {
    summary: "Create a user in the caller's account",
    tag: 'Users',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    body: newUserInput,
    ok: successEnvelope.extend({ id: objectId }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/users/{id}': {
    summary: 'Get a user',
    tag: 'Users',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    whenSuspended: 'allowed',
    params: objectIdParams,
    ok: userDetail,
    errors: [401, 403, 404],
  },
  'PUT /api/v4/users/{id}': {
    summary: "Change a user; omitted keys don't change",
    tag: 'Users',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: userUpdate,
    ok: successEnvelope.extend({
      /** The revision after the change. */
      revision: z.string(),
      /** Only if the caller changed their own user. */
      statusInfo: statusInfo.optional(),
    }),
    errors: [401, 403, 404, 409, 422],
  },
  'DELETE /api/v4/users/{id}': {
    summary: 'Delete a user; deleting the owner deletes the whole account',
    tag: 'Users',
    auth: 'token',
    openTo: ['apiKey'],
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({
      /**
       * Cents that the caller has acknowledged to lose by closing the account; required if there is a balance. As
       * with every change, it may be in the query instead, for clients that send no body with a DELETE.
       */
      forfeit: z.coerce.number().int().min(0).nullish(),
    }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/users/{id}/restore': {
    summary: 'Restore a deleted user with address, settings and subscriptions',
    tag: 'Users',
    auth: 'token',
    openTo: ['apiKey'],
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({}),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/users/{id}/status': {
    summary: 'Get setup progress, permissions and state of a user',
    tag: 'Users',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: objectIdParams,
    query: z.object({ refresh: z.string().nullish() }),
    ok: userStatusAnswer,
    errors: [401, 403, 404, 422],
  },
})
