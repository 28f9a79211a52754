import { z } from 'zod'
import { successEnvelope, successStatus, wireDate } from './envelope.ts'
import { pagedList, pageQuery } from './list.ts'
import { defineRoutes } from './route.ts'
import { signupName } from './signup.ts'

/** Invitations of a tenant to sign up; reference api-billing-admin §19. On the host of the reseller cockpit only. */

/** Addresses that one file may name, and its bytes. */
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
  /** From then on its link does not work; sending it again begins anew. */
  expires_at: wireDate,
  isExpired: z.boolean(),
  /** Why it could not be sent; null: it could, or nobody has tried yet. */
  error: z.string().nullable(),
})

export type Invitation = z.infer<typeof invitation>

/** `created`; `repeated`: twice in the file; `invited`: has one already; `member`: has an account; `invalid`: no address. */
export const inviteOutcomes = ['created', 'repeated', 'invited', 'member', 'invalid'] as const

export type InviteOutcome = (typeof inviteOutcomes)[number]

/** What became of one row of a file. */
export const inviteRow = z.object({
  /** As a spreadsheet counts them, from 1. */
  row: z.number().int(),
  email: z.string(),
  outcome: z.enum(inviteOutcomes),
  message: z.string(),
})

export type InviteRow = z.infer<typeof inviteRow>

const reseller = { auth: 'token', hosts: ['reseller'], tag: 'Invitations' } as const
const params = z.object({ id: z.string() })
const created = successEnvelope.extend({
  /** Invitations that were made. */
  count: z.number().int(),
})

export const invitationRoutes = defineRoutes({
  'GET /api/v4/invitations': {
    ...reseller,
    openTo: [],
    summary: 'Invitations of the own tenant, newest first, ten on a page',
    query: pageQuery.extend({
      /** With "@" the whole address, else a part of it. */
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
      'Invite one address, or those of the `file` of a form: CSV or text, address, first and last name in the columns of each line, or under headings; a line that is no address refuses all',
    form: true,
    body: z.object({
      email: z.string().max(191).nullish(),
      first_name: signupName,
      last_name: signupName,
      /** A part of the form, which counts before `email`; anything else is an error. */
      file: z.null().optional(),
    }),
    ok: created.extend({
      /** That of `email`. */
      invitation: invitation.optional(),
      /** What became of each line of the file. */
      rows: z.array(inviteRow).optional(),
    }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/invitations/import': {
    ...reseller,
    openTo: [],
    summary:
      'Invite the addresses of a file, CSV or text: address, first and last name in the columns of each line, or under headings. Lines that are no address are told by their number. With `preview` nothing is made',
    upload: true,
    body: z.object({ preview: z.enum(['0', '1']).nullish() }),
    ok: created.extend({ rows: z.array(inviteRow) }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/invitations/{id}/resend': {
    ...reseller,
    openTo: [],
    summary:
      'Send an invitation again that was sent, has failed or has expired; one that was used is refused (409)',
    params,
    body: z.object({}),
    ok: successEnvelope.extend({ invitation }),
    errors: [401, 403, 404, 409, 422, 429],
  },
  'DELETE /api/v4/invitations/{id}': {
    ...reseller,
    openTo: [],
    summary: 'Delete an invitation, in whatever state; its link works no longer',
    params,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
})
