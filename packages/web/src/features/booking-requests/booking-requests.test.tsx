// @vitest-environment happy-dom
import type { BookingRequest } from '@gatehouse/contract/mail/booking-requests'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { BookingRequestsPage } from './booking-requests-page.tsx'
import { bookingTime } from './booking-time.ts'

const request: BookingRequest = {
  id: '01890000-0000-7000-8000-000000000001',
  resource: { id: 7, name: 'Meeting room', email: 'resource-7@acme.test' },
  ...{ summary: 'Budget', organizer: 'ned@acme.test', starts: '2026-04-01T10:00:00' },
  ...{ timeZone: 'Europe/Zurich', isRecurring: true, askedAt: '2026-03-10 12:00:00' },
}

let list: BookingRequest[] = []
let isBroken = false
const asked: { url: string; body: unknown }[] = []

async function answer(url: string, options?: RequestInit): Promise<Response> {
  asked.push({ url, body: options?.body })
  if (isBroken) return Response.json({ status: 'error', message: 'Broken' }, { status: 500 })
  if (!url.endsWith('/answer')) return Response.json({ list })
  list = []
  return Response.json({ status: 'success', message: 'Done', outcome: 'accepted' })
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('bookings')
})
beforeEach(() => {
  list = [request]
  isBroken = false
  vi.stubGlobal('fetch', answer)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  asked.length = 0
  vi.unstubAllGlobals()
})

const show = () =>
  renderRouted(() => (
    <QueryScope>
      <BookingRequestsPage />
    </QueryScope>
  ))

test('a booking shows who wants what and when, and can be accepted', async () => {
  await show()
  await screen.findByText('ned@acme.test wants to book Meeting room for “Budget”.')
  screen.getByText(/1 April 2026.*10:00.*\(Europe\/Zurich\) · Repeats/)
  await userEvent.setup().click(screen.getByRole('button', { name: 'Accept' }))
  await screen.findByRole('heading', { name: 'No bookings wait for you' })
  expect(asked).toContainEqual({
    url: expect.stringContaining(`/api/v4/booking-requests/${request.id}/answer`),
    body: '{"answer":"accept"}',
  })
})

test('a failed list can be loaded again', async () => {
  isBroken = true
  await show()
  const retry = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 })
  isBroken = false
  await userEvent.setup().click(retry)
  await screen.findByRole('button', { name: 'Decline' })
})

test.each([
  ['2026-04-01T10:00:00', 'Europe/Zurich', /1 April 2026.*10:00 \(Europe\/Zurich\)$/],
  ['2026-04-01T10:00:00', null, /1 April 2026.*10:00$/],
  ['2026-04-01', null, /1 April 2026$/],
])('a booking at %s in %s is written out', (starts, timeZone, text) => {
  expect(bookingTime({ starts, timeZone })).toMatch(text)
})

test('a time that cannot be read is left out', () => {
  expect(bookingTime({ starts: null, timeZone: null })).toBeUndefined()
  expect(bookingTime({ starts: 'soonT', timeZone: null })).toBeUndefined()
})
