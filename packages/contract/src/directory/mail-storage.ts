import { z } from 'zod'
import { wireDate } from '../envelope.ts'

/** What a user's mail, calendars and contacts use, in bytes. */
export const mailStorage = z.object({
  /** Null if it wasn't measured yet. */
  used: z.number().int().nullable(),
  /** Null if unlimited, or if it wasn't measured yet. */
  quota: z.number().int().nullable(),
  measured_at: wireDate.nullable(),
})

export type MailStorage = z.infer<typeof mailStorage>
