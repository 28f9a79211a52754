// @vitest-environment happy-dom
import type { PaymentMethod, PaymentState } from '@gatehouse/contract/billing/payments'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { pollEvery } from '../../domain/payments/payment-poll.ts'
import {
  forgetPayment,
  rememberedPayment,
  rememberPayment,
} from '../../domain/payments/remembered-payment.ts'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { setNavigator } from '../../platform/navigation/navigation.ts'
import { auth, type Permission } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { toastStore } from '../../ui/toasts/store.ts'
import { PaymentStatusPage } from './payment-status-page.tsx'

let state: PaymentState | undefined
let isDown = false
let isLocked = true
let methods: PaymentMethod[] = []
let asked = 0
const begun: unknown[] = []
const gone: string[] = []

const card: PaymentMethod = { id: 'creditcard', name: 'Credit card', minimumAmount: 100, currency: 'CHF' }

const payment = (status: PaymentState['status'], change: Partial<PaymentState> = {}): PaymentState => ({
  ...{ id: 'p1', status, type: 'mandate', description: 'Gatehouse Auto-Payment Setup' },
  ...{ statusMessage: `It is ${status}.`, isLocked },
  ...change,
})

let permissions: Permission[] = []
const user = () => testUser(permissions, { isLocked })

async function answer(url: string, init: RequestInit = {}): Promise<Response> {
  if (isDown) throw new TypeError('network')
  if (url.endsWith('/status')) {
    asked += 1
    return state ? Response.json(state) : Response.json({ status: 'error', message: 'None' }, { status: 404 })
  }
  if (url.includes('/methods')) return Response.json(methods)
  if (url.endsWith('/reset')) {
    begun.push(JSON.parse(typeof init.body === 'string' ? init.body : 'null'))
    return Response.json({ status: 'success', id: 'p2', redirectUrl: 'https://pay.test/p2' })
  }
  return Response.json(user())
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('payment')
})
beforeEach(() => {
  permissions = ['walletMandates']
  ;[state, isDown, isLocked, methods, asked] = [undefined, false, true, [card], 0]
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal('fetch', answer)
  setNavigator({
    go: (path) => gone.push(path),
    leaveFor: (path) => gone.push(path),
    recheck: () => {},
    location: () => '/',
    needsLogin: () => true,
  })
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  queryClient.clear()
  toastStore.set([])
  forgetPayment()
  begun.length = 0
  gone.length = 0
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function show() {
  auth.set({ loggedIn: true, user: user() })
  await renderRouted(() => (
    <QueryScope>
      <PaymentStatusPage />
    </QueryScope>
  ))
}

const wait = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))
const press = (name: string) =>
  userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(screen.getByRole('button', { name }))

test('polls a locked account every five seconds until it is paid, then opens it', async () => {
  state = payment('open')
  await show()
  await screen.findByText('It is open.')
  expect(screen.getByText('Your account is locked.')).toBeTruthy()
  await wait(pollEvery)
  await waitFor(() => expect(asked).toBe(2))
  isLocked = false
  state = payment('paid')
  await wait(pollEvery)
  await screen.findByText('It is paid.')
  expect(gone).toEqual([])
  await wait(5000)
  await waitFor(() => expect(gone).toEqual(['/dashboard']))
  expect(auth.get().user?.isLocked).toBe(false)
})

test('continues automatically if the account was unlocked before its owner returns', async () => {
  isLocked = false
  rememberPayment('p1')
  state = payment('paid')
  await show()
  await screen.findByText('It is paid.')
  await screen.findByText(/opens in a moment|moment/)
  expect(gone).toEqual([])
  await wait(5000)
  await waitFor(() => expect(gone).toEqual(['/dashboard']))
  expect(rememberedPayment()).toBeUndefined()
})

test('stays on an earlier payment, whatever payment another tab was left for', async () => {
  isLocked = false
  rememberPayment('p0')
  state = payment('paid')
  await show()
  await screen.findByText('It is paid.')
  await wait(6000)
  expect(gone).toEqual([])
})

test('remembers the payment the page was left for', async () => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  state = payment('failed')
  await show()
  await screen.findByText('It is failed.')
  await press('Try again')
  await waitFor(() => expect(rememberedPayment()).toBe('p2'))
})

test("offers no setup if payments aren't available", async () => {
  permissions = []
  state = payment('failed')
  await show()
  await screen.findByText('It is failed.')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test("paid isn't enough while the server keeps the account locked", async () => {
  state = payment('paid', { isLocked: true })
  await show()
  await screen.findByText('It is paid.')
  await wait(6000)
  expect(gone).toEqual([])
  isLocked = false
  state = payment('paid')
  await wait(pollEvery)
  await wait(5000)
  await waitFor(() => expect(gone).toEqual(['/dashboard']))
})

test.each(['failed', 'canceled', 'expired'] as const)(
  'what is %s is not looked at again, and can be tried again',
  async (status) => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    state = payment(status)
    await show()
    await screen.findByText(`It is ${status}.`)
    await wait(3 * pollEvery)
    expect(asked).toBe(1)
    await press('Try again')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.test/p2'))
    expect(begun).toEqual([{ methodId: 'creditcard' }])
  },
)

test('offers another method for a retry', async () => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  methods = [card, { ...card, id: 'directdebit', name: 'Direct debit' }]
  state = payment('failed')
  await show()
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(await screen.findByRole('radio', { name: /Direct debit/ }))
  await press('Try again')
  await waitFor(() => expect(begun).toEqual([{ methodId: 'directdebit' }]))
})

test("doesn't call a pending payment failed: its page can be reopened", async () => {
  state = payment('open')
  await show()
  await screen.findByRole('button', { name: 'Open the payment page again' })
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('a locked account without a payment can start one', async () => {
  await show()
  await screen.findByText('Waiting for the first payment')
  await screen.findByRole('button', { name: 'Set up auto-payment' })
  expect(screen.getByRole('link', { name: 'Sign out' })).toBeTruthy()
})

test('tells other users without a payment that there is nothing to do', async () => {
  isLocked = false
  await show()
  await screen.findByText('No payment due')
  expect(screen.getByRole('link', { name: /dashboard/i })).toBeTruthy()
})

test('waits for an unavailable server and keeps showing the last state', async () => {
  state = payment('open')
  await show()
  await screen.findByText('It is open.')
  isDown = true
  await wait(pollEvery)
  await screen.findByText('We can’t reach the server.')
  expect(screen.getByText('It is open.')).toBeTruthy()
  isDown = false
  isLocked = false
  state = payment('paid')
  await press('Try again')
  await screen.findByText('It is paid.')
  expect(screen.queryByText('We can’t reach the server.')).toBeNull()
})

test('can retry manually if the server was never reached', async () => {
  isDown = true
  await show()
  await screen.findByRole('alert')
  isDown = false
  state = payment('open')
  await press('Try again')
  await screen.findByText('It is open.')
})
