import { z } from 'zod'
import { successEnvelope, successStatus, wireDate } from './envelope.ts'
import { pagedList, pageQuery } from './list.ts'
import { defineRoutes } from './route.ts'
import { signupName } from './signup.ts'

/**
 * Invitations to sign up with a tenant; reference api-billing-admin §19. On the host of the reseller cockpit
 * only.
 */

/** Maximum addresses and bytes of one file. */
export const maxInvitations = 5000
export const maxInvitationBytes = 1024 * 1024

/** Exactly one of the four flags is true. */
export const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  isNew: z.boolean(),
  isSent: z.boolean(),
  isFailed: z.boolean(),
  isCompleted: z.boolean(),
  created: wireDate,
  /** When its link expires; resending it restarts the period. */
  expires_at: wireDate,
  isExpired: z.boolean(),
  /** Why it couldn't be sent; null if it was sent or not tried yet. */
  error: z.string().nullable(),
})

export type Invitation = z.infer<typeof invitation>

/**
 * `created`; `repeated`: duplicate in the file; `invited`: already invited; `member`: has an account;
 * `invalid`: not an address.
 */
export const inviteOutcomes = ['created', 'repeated', 'invited', 'member', 'invalid'] as const

export type InviteOutcome = (typeof inviteOutcomes)[number]

/** Result of one row of a file. */
export const inviteRow = z.object({
  /** Row number as in a spreadsheet, from 1. */
  row: z.number().int(),
  email: z.string(),
  outcome: z.enum(inviteOutcomes),
  message: z.string(),
})

export type InviteRow = z.infer<typeof inviteRow>

const reseller = { auth: 'token', hosts: ['reseller'], tag: 'Invitations' } as const
const params = z.object({ id: z.string() })
const created = successEnvelope.extend({
  /** Number of created invitations. */
  count: z.number().int(),
})

export const invitationRoutes = defineRoutes({
  'GET /api/v4/invitations': {
    ...reseller,
    openTo: [],
    summary: 'List invitations of your tenant, newest first, 10 per page',
    query: pageQuery.extend({
      /** The whole address if it contains "@", or else a part of it. */
      search: z.string().max(191).nullish(),
      state: z.enum(['new', 'sent', 'failed', 'completed', 'expired']).nullish(),
    }),
    ok: successStatus.extend({ page: z.number().int() }).extend(pagedList(invitation).shape),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/invitations': {
    ...reseller,
    openTo: [],
    summary:
      'Invite one address, or the addresses in an uploaded CSV or text `file` with address, first and last name per line, with or without a header. An invalid line rejects the whole file',
    form: true,
    body: z.object({
      email: z.string().max(191).nullish(),
      first_name: signupName,
      last_name: signupName,
      /** A file in the form, which takes precedence over `email`; any other value is an error. */
      file: z.null().optional(),
    }),
    ok: created.extend({
      /** The invitation for `email`. */
      invitation: invitation.optional(),
      /** Result of each row of the file. */
      rows: z.array(inviteRow).optional(),
    }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/invitations/import': {
    ...reseller,
    openTo: [],
    summary:
      'Invite the addresses in a CSV or text file with address, first and last name per line, with or without a header. Reports invalid lines by number. With `preview`, sends nothing',
    upload: true,
    body: z.object({ preview: z.enum(['0', '1']).nullish() }),
    ok: created.extend({ rows: z.array(inviteRow) }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/invitations/{id}/resend': {
    ...reseller,
    openTo: [],
    summary: 'Resend an invitation that was sent, has failed or has expired; returns 409 if it was used',
    params,
    body: z.object({}),
    ok: successEnvelope.extend({ invitation }),
    errors: [401, 403, 404, 409, 422, 429],
  },
  'DELETE /api/v4/invitations/{id}': {
    ...reseller,
    openTo: [],
    summary: 'Delete an invitation in any state; its link stops working',
    params,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
})
