// @vitest-environment happy-dom
import type { PaymentState } from '@gatehouse/contract/billing/payments'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { pollEvery, retryWait } from '../../../domain/payments/payment-poll.ts'
import { rememberedPayment, rememberPayment } from '../../../domain/payments/remembered-payment.ts'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { PaymentWatch } from './payment-watch.tsx'
import { bank, server, show, startServer, stopServer, toastTexts } from './payments.test-data.tsx'
import { PendingTab } from './pending-tab.tsx'
import { usePayments } from './use-payments.ts'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('wallet', 'payment', 'list')
})
beforeEach(() => startServer())
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  stopServer()
})

const state = (status: PaymentState['status'], change: Partial<PaymentState> = {}): PaymentState => ({
  ...{ id: 'p1', status, type: 'oneoff', description: 'Gatehouse Payment', isLocked: false },
  ...{ statusMessage: `It is ${status}.` },
  ...change,
})

function Sample() {
  const payments = usePayments('own')
  return (
    <>
      <output>{payments.dialog ?? 'no dialog'}</output>
      {payments.watched && <PaymentWatch id={payments.watched} payments={payments} />}
    </>
  )
}

async function comeBack() {
  rememberPayment('p1')
  await show(Sample)
}

describe('a user returning from a payment', () => {
  test('sees once that it has arrived', async () => {
    server.state = state('paid')
    await comeBack()
    await waitFor(() => expect(toastTexts()).toEqual(['It is paid.']))
    expect(rememberedPayment()).toBeUndefined()
    cleanup()
    await show(Sample)
    expect(toastTexts()).toHaveLength(1)
  })

  test('sees that it is pending, and then its outcome', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    server.state = state('open')
    server.pending = [bank]
    await comeBack()
    await screen.findByText('It is open.')
    const link = await screen.findByRole<HTMLAnchorElement>('link', {
      name: /Continue to payment of CHF\s50\.00/,
    })
    expect(link.href).toBe('http://pay.test/p1')
    server.state = state('paid')
    await act(() => vi.advanceTimersByTimeAsync(pollEvery))
    await waitFor(() => expect(toastTexts()).toEqual(['It is paid.']))
    await waitFor(() => expect(screen.queryByText('It is open.')).toBeNull())
  })

  test.each(['failed', 'canceled', 'expired'] as const)('can try again what is %s', async (status) => {
    server.state = state(status)
    await comeBack()
    await screen.findByText(`It is ${status}.`)
    expect(rememberedPayment()).toBeUndefined()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getByText('pay')).toBeTruthy())
    expect(screen.queryByText(`It is ${status}.`)).toBeNull()
  })

  test('can restart a failed setup of auto-payment', async () => {
    server.state = state('failed', { type: 'mandate' })
    await comeBack()
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getByText('auto')).toBeTruthy())
  })

  test('sees nothing of another payment', async () => {
    server.state = state('paid', { id: 'p2' })
    await comeBack()
    await waitFor(() => expect(rememberedPayment()).toBeUndefined())
    expect(toastTexts()).toEqual([])
  })

  test('sees nothing if the payment is unknown', async () => {
    await comeBack()
    await waitFor(() => expect(rememberedPayment()).toBeUndefined())
    expect(toastTexts()).toEqual([])
  })
})

test('backs off while the server is unreachable and respects Retry-After', () => {
  const lost = new ApiError('', { status: 0 })
  expect([0, 1, 2, 3, 9].map((failures) => retryWait(failures, lost))).toEqual([
    5000, 10_000, 20_000, 40_000, 60_000,
  ])
  expect(retryWait(0, new ApiError('', { status: 503, retryAfter: 90 }))).toBe(90_000)
})

describe('the list of pending payments', () => {
  test('shows date, description, amount and a link to the payment', async () => {
    server.pending = [bank]
    await show(() => <PendingTab />)
    const row = (await screen.findByText('Gatehouse Payment')).closest('tr')
    const text = row?.textContent?.replaceAll(/\s/gu, ' ')
    expect(text).toContain('18 Nov 2026')
    expect(text).toContain('CHF 50.00')
    expect(screen.getByRole<HTMLAnchorElement>('link').href).toBe('http://pay.test/p1')
  })

  test('offers to cancel only what can be cancelled', async () => {
    server.pending = [{ ...bank, isCancelable: false, checkoutUrl: null }]
    await show(() => <PendingTab />)
    await screen.findByText('Gatehouse Payment')
    expect(screen.queryByRole('button', { name: /Cancel payment/ })).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('cancels after confirmation and refreshes', async () => {
    server.pending = [bank]
    await show(() => <PendingTab />)
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: /Cancel payment of CHF\s50\.00/ }))
    await screen.findByRole('dialog', { name: /Cancel the payment of CHF\s50\.00\?/ })
    server.pending = []
    await user.click(screen.getByRole('button', { name: 'Cancel payment' }))
    await screen.findByText('No pending payments')
    expect(toastTexts()).toEqual(['The payment is cancelled.'])
  })

  test('refreshes if it was too late to cancel', async () => {
    server.pending = [bank]
    await show(() => <PendingTab />)
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: /Cancel payment of CHF\s50\.00/ }))
    server.pending = []
    server.answers.set('DELETE /api/v4/payments/p1', () =>
      Response.json({ status: 'error', message: 'It has been paid.' }, { status: 409 }),
    )
    await user.click(screen.getByRole('button', { name: 'Cancel payment' }))
    await waitFor(() => expect(toastTexts()).toEqual(['It has been paid.']))
    await screen.findByText('No pending payments')
  })
})
