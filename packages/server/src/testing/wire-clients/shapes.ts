import { z } from 'zod'

/** What the client reads from the responses of many calls. */
export const success = z.object({ status: z.literal('success'), message: z.string().min(1) })
export const failure = z.object({ status: z.literal('error'), message: z.string().min(1) })

/** Errors at a field: one, several, or by list index. */
const fieldErrors = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())])

/** An error response with exactly these fields. */
export const errorsAt = (...fields: string[]) =>
  z.object({
    status: z.literal('error'),
    errors: z.strictObject(Object.fromEntries(fields.map((field) => [field, fieldErrors]))),
  })

const states = z.object({ isActive: z.boolean().optional(), isDeleted: z.boolean().optional() })

export const listOf = (item: z.ZodType, least = 1) =>
  z.object({ list: z.array(item).min(least), count: z.number(), hasMore: z.boolean().optional() })

export const wallet = z.object({ id: z.string(), balance: z.number(), currency: z.string() })

export const statusInfo = z.object({
  isDone: z.boolean(),
  process: z.array(z.object({ label: z.string(), title: z.string(), state: z.boolean() })),
  processState: z.string(),
})

export const account = z.object({
  id: z.number(),
  email: z.string(),
  settings: z.record(z.string(), z.string().nullable()),
  statusInfo: statusInfo.extend({
    skus: z.array(z.string()),
    enableUsers: z.boolean(),
    enableWallets: z.boolean(),
  }),
  wallets: z.array(wallet),
  accounts: z.array(wallet),
  wallet,
  isLocked: z.boolean(),
  isDegraded: z.boolean(),
  isAccountDegraded: z.boolean(),
})

export const tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number(),
})

export const session = account.extend(tokens.shape).extend({ status: z.literal('success') })

export const userDetail = account.extend({
  aliases: z.array(z.string()),
  skus: z.record(z.string(), z.object({ count: z.number(), costs: z.array(z.number()) })),
  config: z.record(z.string(), z.unknown()),
})

export const sku = z.object({
  id: z.string(),
  title: z.string(),
  name: z.string(),
  cost: z.number(),
  units_free: z.number(),
  handler: z.string(),
  enabled: z.boolean(),
  readonly: z.boolean(),
})

export const named = states.extend({ id: z.number(), name: z.string() })
export const addressed = states.extend({ id: z.number(), email: z.string() })

/** An object's page with its settings. */
export const objectDetail = z.object({
  id: z.number(),
  config: z.record(z.string(), z.unknown()),
  statusInfo: statusInfo,
  skus: z.record(z.string(), z.object({ count: z.number(), costs: z.array(z.number()) })),
})

export const domainDetail = objectDetail.extend({
  namespace: z.string(),
  isConfirmed: z.boolean(),
  hash_text: z.string(),
  hash_cname: z.string(),
  hash_code: z.string(),
  dns: z.array(z.string()),
  mx: z.array(z.string()),
})
