import { z } from 'zod'
import { wireDate } from './envelope.ts'
import { type PermissionFlag, permissionFlag, permissions } from './permissions.ts'
import { defineRoutes } from './route.ts'

/** Users, domains, lists, resources and folders have an unsigned 32-bit number that people see as customer number. */
export const objectId = z.number().int().min(1).max(4_294_967_295)

/** Path parameter of an object; anything that is no such number reads as "not found". */
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
  /** The owner's address, only when the wallet belongs to somebody else. */
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
  // fromEntries forgets the key type; the keys are exactly the permission flags
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

/** Settings of a user that travel with the user object. */
export const publicSettings = [
  'billing_address',
  'country',
  'currency',
  'external_email',
  'first_name',
  'last_name',
  'organization',
  'phone',
] as const

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
  settings: z.partialRecord(z.enum(publicSettings), z.string()),
  statusInfo,
  wallets: z.array(wallet),
  accounts: z.array(wallet),
  wallet,
})

export type UserInfo = z.infer<typeof userInfo>

/** statusInfo and flags side by side; with `refresh` also the outcome of the push. */
export const userStatusAnswer = statusInfo.extend(userFlags.shape).extend({
  status: z.enum(['success', 'error']).optional(),
  message: z.string().optional(),
})

export const userRoutes = defineRoutes({
  'GET /api/v4/users/{id}': {
    summary: 'One user',
    tag: 'Users',
    auth: 'token',
    whenSuspended: 'allowed',
    params: objectIdParams,
    ok: userInfo,
    errors: [401, 403, 404],
  },
  'GET /api/v4/users/{id}/status': {
    summary: 'Set-up progress, permissions and state of a user',
    tag: 'Users',
    auth: 'token',
    whenSuspended: 'allowed',
    params: objectIdParams,
    query: z.object({ refresh: z.string().nullish() }),
    ok: userStatusAnswer,
    errors: [401, 403, 404, 422],
  },
})
