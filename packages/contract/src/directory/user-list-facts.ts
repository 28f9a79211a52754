import { z } from 'zod'
import { wireDate } from '../envelope.ts'

/** What the reader may do with a row of the list of users. */
export const userRowRights = z.object({
  canDelete: z.boolean(),
  canSuspend: z.boolean(),
  /** Ends a suspension that the account itself began; what the provider suspended stays so. */
  canResume: z.boolean(),
  /** Has a link for a new password mailed to the user's private address. */
  canSendPasswordLink: z.boolean(),
})

/** What the list of users tells beside who they are; each fact only to who may see it. */
export const userListFacts = z.object({
  /** Name of the package that the user has all of; null: the subscriptions were chosen one by one. */
  package: z.string().nullable(),
  /** What the user has beyond the package, or all of it without one. */
  extras: z.array(z.object({ name: z.string(), quantity: z.number().int(), unit: z.string().nullable() })),
  /** Cents a month after the discount, of what is paid by the year the twelfth part. */
  price: z.object({ currency: z.string(), monthly: z.number().int() }).optional(),
  /** When the user's sessions were last used; null: none is known. */
  lastSignInAt: wireDate.nullable().optional(),
  /** Bytes that the user's files take, and the room for them; null: the user has no files yet. */
  storage: z.object({ used: z.number().int().nullable(), limit: z.number().int() }).optional(),
  rights: userRowRights,
})

export type UserListFacts = z.infer<typeof userListFacts>
