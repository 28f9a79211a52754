import type {
  Mandate,
  PaymentMethod,
  PaymentPreview,
  PaymentState,
  PendingPayment,
} from '@gatehouse/contract/billing/payments'
import type { Forecast } from '@gatehouse/contract/billing/wallets'
import { vi } from 'vitest'
import { forgetPayment } from '../../../domain/payments/remembered-payment.ts'
import { QueryScope, queryClient } from '../../../platform/api/query.tsx'
import type { Permission } from '../../../platform/session/auth.ts'
import { auth } from '../../../platform/session/auth.ts'
import { testUser } from '../../../platform/session/user.test-data.ts'
import { renderRouted } from '../../../ui/routed.test-data.tsx'
import { toastStore } from '../../../ui/toasts/store.ts'

export const card: PaymentMethod = {
  ...{ id: 'creditcard', name: 'Credit card', minimumAmount: 500, currency: 'CHF', exchangeRate: 1 },
}
export const transfer: PaymentMethod = {
  ...{ id: 'banktransfer', name: 'Bank transfer', minimumAmount: 100, currency: 'EUR', exchangeRate: 1.07 },
}
export const crypto: PaymentMethod = { id: 'bitcoin', name: 'Bitcoin', minimumAmount: 0, currency: 'BTC' }

export const noMandate: Mandate = {
  ...{ isValid: false, isDisabled: false, amount: 10, minAmount: 10, balance: 0, currency: 'CHF' },
}
export const visa: Mandate = {
  ...noMandate,
  ...{ id: 'm1', method: 'Visa ending 4242', methodId: 'creditcard', isPending: false, isValid: true },
  ...{ amount: 50, balance: 20 },
}

export const bank: PendingPayment = {
  ...{ id: 'p1', createdAt: '2026-11-18 09:00:00', type: 'oneoff', description: 'Gatehouse Payment' },
  ...{ amount: 5000, currency: 'CHF', status: 'open', isCancelable: true },
  checkoutUrl: 'http://pay.test/p1',
}

interface Sent {
  route: string
  body: unknown
  key: string | null
}

/** Mocked payment server following the contract. Tests change its state. */
export const server = {
  methods: [card] as PaymentMethod[],
  mandate: noMandate,
  pending: [] as PendingPayment[],
  state: undefined as PaymentState | undefined,
  balance: 0,
  /** Overrides for the next previews; by default, an amount without VAT. */
  preview: {} as Partial<PaymentPreview>,
  /** One-time responses by route, used before the default ones. */
  answers: new Map<string, () => Response | Promise<Response>>(),
  sent: [] as Sent[],
}

export function resetServer(): void {
  Object.assign(server, { methods: [card], mandate: noMandate, pending: [], state: undefined, balance: 0 })
  server.preview = {}
  server.answers.clear()
  server.sent = []
}

const forecast = (): Forecast => ({
  ...{ currency: 'CHF', balance: server.balance, pending: 0, lastsUntil: null, priceChanges: [] },
  owed: Math.max(0, -server.balance),
  next: { date: '2026-12-01', amount: 4620 },
  months: Array.from({ length: 12 }, (_, month) => ({
    ...{ until: `${2027 + month}-01-01`, charges: 4620, balance: server.balance - (month + 1) * 4620 },
  })),
})

/** Preview of an installation without VAT, with overrides of a test. */
function preview(body: Record<string, unknown>): PaymentPreview {
  const credit = Math.round(Number(body.amount ?? 0) * 100)
  const charge = {
    ...{ credit, net: credit, vat: 0, gross: credit, amount: credit, currency: 'CHF' },
    balance: server.balance + credit,
  }
  return {
    ...{ currency: 'CHF', minimum: 500, isAtOnce: false },
    charge: credit < 500 ? null : charge,
    suggestions: [
      ...(server.balance < 0 ? [{ kind: 'owed', amount: -server.balance } as const] : []),
      { kind: 'months', amount: 13_860 },
    ],
    ...server.preview,
  }
}

const usual: Record<string, (body: Record<string, unknown>) => unknown> = {
  'POST /api/v4/payments/preview': preview,
  'GET /api/v4/payments/methods': () => server.methods,
  'GET /api/v4/payments/mandate': () => server.mandate,
  'GET /api/v4/payments/pending': () => ({
    ...{ status: 'success', page: 1, list: server.pending, count: server.pending.length, hasMore: false },
  }),
  'GET /api/v4/payments/status': () => server.state,
  'POST /api/v4/payments': () => ({ status: 'success', id: 'p9' }),
  'POST /api/v4/payments/mandate': () => ({ status: 'success', id: 'p9' }),
  'POST /api/v4/payments/mandate/reset': () => ({ status: 'success', id: 'p9' }),
  'PUT /api/v4/payments/mandate': () => ({ ...server.mandate, status: 'success', message: 'Changed.' }),
  'DELETE /api/v4/payments/mandate': () => ({ status: 'success', message: 'Auto-payment is cancelled.' }),
  'DELETE /api/v4/payments/p1': () => ({ status: 'success', message: 'The payment is cancelled.' }),
  'GET /api/v4/wallets/own': () => ({
    ...{ id: 'own', user_id: 1, currency: 'CHF', balance: server.balance, description: null },
    ...{
      notice: null,
      noticeKind: null,
      discount_id: null,
      discount: null,
      discount_description: null,
      provider: 'sandbox',
    },
    ...{ lastsUntil: null, canUpdate: true },
  }),
  'GET /api/v4/wallets/own/forecast': forecast,
  'GET /api/auth/info': () => auth.get().user,
}

async function answer(url: string, init: RequestInit = {}): Promise<Response> {
  const { pathname } = new URL(url, 'http://localhost')
  const route = `${init.method ?? 'GET'} ${pathname}`
  const headers = new Headers(init.headers)
  const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
  if (init.method !== 'GET' && !route.endsWith('/preview')) {
    server.sent.push({ route, body, key: headers.get('Idempotency-Key') })
  }
  const special = server.answers.get(route)
  if (special) return special()
  const value = usual[route]?.(body)
  return value === undefined
    ? Response.json({ status: 'error', message: 'Not found' }, { status: 404 })
    : Response.json(value)
}

/** Signs in a user with these permissions and mocks the server. */
export function startServer(
  permissions: Permission[] = ['wallets', 'walletPayments', 'walletMandates'],
): void {
  vi.stubGlobal('fetch', answer)
  const user = testUser(permissions)
  auth.set({ loggedIn: true, user: { ...user, accounts: [] } })
}

export function stopServer(): void {
  queryClient.clear()
  toastStore.set([])
  forgetPayment()
  resetServer()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
}

/** Renders a part of the wallet page. */
export function show(Part: () => React.ReactNode, path = '/wallet') {
  return renderRouted(
    () => (
      <QueryScope>
        <Part />
      </QueryScope>
    ),
    path,
  )
}

/** Texts of the toasts on screen, newest first. */
export const toastTexts = () => toastStore.get().map(({ message }) => message)
