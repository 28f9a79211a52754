import { z } from 'zod'
import { objectId } from '../directory/users.ts'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { defineRoutes } from '../route.ts'

/**
 * Bonuses and penalties above the limit of one staff member, which a second one must approve. On the staff
 * hosts.
 */

/** `expired`: not decided in time. */
export const oneOffStates = ['pending', 'approved', 'refused', 'withdrawn', 'expired'] as const

export type OneOffState = (typeof oneOffStates)[number]

export const oneOffRequest = z.object({
  id: z.uuid(),
  walletId: z.uuid(),
  /** Owner of the wallet. */
  user: z.object({ id: objectId, email: z.string() }),
  /** Cents; a penalty is negative. */
  amount: z.number().int(),
  currency: z.string(),
  description: z.string(),
  state: z.enum(oneOffStates),
  /** Address of the requester. */
  requestedBy: z.string(),
  createdAt: wireDate,
  /** Deadline for the decision. */
  expiresAt: wireDate,
  /** Address of the decider; null if undecided. */
  decidedBy: z.string().nullable(),
  decidedAt: wireDate.nullable(),
  /** Comment given with the decision. */
  comment: z.string().nullable(),
  /** The reader may approve it, because someone else requested it. */
  canApprove: z.boolean(),
  /** The reader may refuse it, or withdraw it as the requester. */
  canRefuse: z.boolean(),
})

export type OneOffRequest = z.infer<typeof oneOffRequest>

const staff = { auth: 'token', hosts: ['admin', 'reseller'], tag: 'Staff' } as const
const params = z.object({ id: z.string() })
const errors = [401, 403, 404, 409, 422] as const

export const oneOffRoutes = defineRoutes({
  'GET /api/v4/one-offs': {
    ...staff,
    openTo: [],
    summary:
      'List bonuses and penalties that need or needed approval by a second member of staff, newest first',
    query: pageQuery.extend({ state: z.enum(oneOffStates).nullish() }),
    ok: successStatus.extend({ page: z.number().int() }).extend(pagedList(oneOffRequest).shape),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/one-offs/{id}/approve': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary: "Approve and post a request from another member of staff; your own can't be approved",
    params,
    body: z.object({ comment: z.string().max(1024).nullish() }),
    ok: successEnvelope.extend({ request: oneOffRequest, balance: z.number().int() }),
    errors,
  },
  'POST /api/v4/one-offs/{id}/refuse': {
    ...staff,
    openTo: [],
    summary: 'Refuse a request from another member of staff with a reason, or withdraw your own',
    params,
    body: z.object({ comment: z.string().min(3).max(1024) }),
    ok: successEnvelope.extend({ request: oneOffRequest }),
    errors,
  },
})
