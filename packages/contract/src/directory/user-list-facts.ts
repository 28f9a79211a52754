import { z } from 'zod'
import { wireDate } from '../envelope.ts'
import { mailStorage } from './mail-storage.ts'

/** What the reader may do with a row of the user list. */
export const userRowRights = z.object({
  canDelete: z.boolean(),
  canSuspend: z.boolean(),
  /** Ends a suspension by the account itself, but not one by the provider. */
  canResume: z.boolean(),
  /** Mails a password link to the user's private address. */
  canSendPasswordLink: z.boolean(),
})

/** Additional facts in the user list, each limited to readers who may see it. */
export const userListFacts = z.object({
  /** Name of the package that the user has in full; null if subscriptions were chosen individually. */
  package: z.string().nullable(),
  /** Subscriptions beyond the package, or all of them without one. */
  extras: z.array(z.object({ name: z.string(), quantity: z.number().int(), unit: z.string().nullable() })),
  /** Cents per month after the discount; yearly prices count a twelfth. */
  price: z.object({ currency: z.string(), monthly: z.number().int() }).optional(),
  /** When the user's sessions were last used; null if unknown. */
  lastSignInAt: wireDate.nullable().optional(),
  /** Bytes used by the user's files, and their limit; null if the user has no files yet. */
  storage: z.object({ used: z.number().int().nullable(), limit: z.number().int() }).optional(),
  /** Bytes of mail, calendars and contacts, measured every hour. */
  usedStorage: z.number().int().optional(),
  /** The same with the quota; absent for users without a mailbox. */
  mailStorage: mailStorage.optional(),
  rights: userRowRights,
})

export type UserListFacts = z.infer<typeof userListFacts>
