import { z } from 'zod'
import { objectId } from '../directory/users.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'

/** Maximum number of bookings in the list of those that wait. */
export const bookingRequestLimit = 100

/** A booking of a resource that waits for its manager. */
export const bookingRequest = z.object({
  id: z.uuid(),
  resource: z.object({ id: objectId, name: z.string(), email: z.string() }),
  /** May be empty. */
  summary: z.string(),
  /** Address of the person who wants the resource. */
  organizer: z.string(),
  /** Local time of its zone, such as `2026-03-01T10:00:00`, or a day; null: unknown. */
  starts: z.string().nullable(),
  timeZone: z.string().nullable(),
  isRecurring: z.boolean(),
  askedAt: wireDate,
})

export type BookingRequest = z.infer<typeof bookingRequest>

/** What became of a booking: it was accepted or declined, the time was taken meanwhile, or there was nothing to decide. */
export const bookingOutcomes = ['accepted', 'declined', 'conflict', 'gone'] as const

export type BookingOutcome = (typeof bookingOutcomes)[number]

const route = { tag: 'Resources', auth: 'token', openTo: [], hosts: ['user'] } as const

/** Bookings of resources with the policy “manual”. */
export const bookingRequestRoutes = defineRoutes({
  'GET /api/v4/booking-requests': {
    ...route,
    summary: 'List the bookings that wait for you as the manager of a resource, oldest first',
    ok: z.object({ list: z.array(bookingRequest).max(bookingRequestLimit) }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/booking-requests/{id}/answer': {
    ...route,
    summary: 'Accept or decline a booking that waits for you',
    params: z.object({ id: z.string().max(36) }),
    body: z.object({ answer: z.enum(['accept', 'decline']) }),
    ok: successEnvelope.extend({ outcome: z.enum(bookingOutcomes) }),
    errors: [401, 403, 404, 422, 503],
  },
})
