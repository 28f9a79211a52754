import { type BookingOutcome, bookingRequestLimit } from '@gatehouse/contract/mail/booking-requests'
import { wireDate } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Api } from '../../../platform/http/api.ts'
import { HttpError, message, NotFound } from '../../../platform/http/errors.ts'
import { isUuid } from '../../../platform/ids.ts'
import { CalendarBusy } from '../../invitations/delivery/invitation-delivery.ts'
import type { Reason } from '../../reasons.ts'
import { findRequest, type ListedRequest, requestsOf } from './booking-store.ts'
import type { Bookings } from './bookings.ts'

interface Parts {
  readonly db: Db
  readonly bookings: Pick<Bookings, 'answer'>
}

/** What managers of resources see and decide. Others don't find the bookings. */
export function serveBookingRequests(api: Api, { db, bookings }: Parts): void {
  api.serve('GET /api/v4/booking-requests', async ({ principal }) => {
    return { list: (await requestsOf(db, principal.userId, bookingRequestLimit)).map(present) }
  })

  api.serve('POST /api/v4/booking-requests/{id}/answer', async ({ principal, params, body, t }) => {
    const request = isUuid(params.id) ? await findRequest(db, params.id) : undefined
    if (request?.managerId !== principal.userId) throw new NotFound()
    try {
      const { reason } = await bookings.answer({ request, by: principal.email, answer: body.answer })
      const outcome = outcomes[reason] ?? 'gone'
      return { status: 'success', message: t(`mailflow.booking-${outcome}`), outcome }
    } catch (error) {
      if (error instanceof CalendarBusy) throw new HttpError(503, message('mailflow.calendar-busy'))
      throw error
    }
  })
}

const outcomes: Readonly<Partial<Record<Reason, BookingOutcome>>> = {
  'booking.accepted': 'accepted',
  'booking.declined': 'declined',
  'booking.conflict': 'conflict',
}

function present(request: ListedRequest) {
  const { id, resourceId, resourceName: name, resourceEmail: email, askedAt } = request
  const { summary, organizer, starts, timeZone, isRecurring } = request
  const resource = { id: resourceId, name, email }
  return { id, resource, summary, organizer, starts, timeZone, isRecurring, askedAt: wireDate(askedAt) }
}
