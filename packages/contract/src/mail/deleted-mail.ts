import { z } from 'zod'
import { objectIdParams } from '../directory/users.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { restorePeriods } from './restore-periods.ts'

export const deletedFolder = z.object({
  /** Identifies the folder to restore it. */
  id: z.string(),
  /** Its path, such as `Projects/2026`. */
  name: z.string(),
  deleted_at: wireDate,
  messages: z.number().int(),
  /** Bytes. */
  size: z.number().int(),
})

export type DeletedFolder = z.output<typeof deletedFolder>

export const deletedMail = z.object({
  /** Without a mail store, or before the mailbox exists, there is nothing to restore. */
  isConnected: z.boolean(),
  /** Number of messages that would be restored, including those of deleted folders. */
  periods: z.array(z.object({ days: z.number().int(), messages: z.number().int() })),
  /** Latest first. */
  folders: z.array(deletedFolder),
})

export type DeletedMail = z.output<typeof deletedMail>

const call = {
  tag: 'Mail',
  auth: 'token',
  openTo: ['impersonated'],
  hosts: ['user'],
  params: objectIdParams,
} as const

export const deletedMailRoutes = defineRoutes({
  'GET /api/v4/users/{id}/deleted-mail': {
    ...call,
    summary: "List a user's deleted folders, and count the deleted messages that can be restored",
    ok: deletedMail,
    errors: [401, 403, 404],
  },
  'POST /api/v4/users/{id}/deleted-mail/messages': {
    ...call,
    summary: 'Restore the messages that were deleted in a period to their folders',
    body: z.object({ days: z.literal(restorePeriods) }),
    ok: successEnvelope.extend({ messages: z.number().int() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/users/{id}/deleted-mail/folders': {
    ...call,
    summary: 'Restore a deleted folder with its messages',
    body: z.object({ folder: z.string().min(1).max(1024) }),
    ok: successEnvelope.extend({
      /** Its path now; another one if a folder has its name. */
      name: z.string(),
    }),
    errors: [401, 403, 404, 422],
  },
})
