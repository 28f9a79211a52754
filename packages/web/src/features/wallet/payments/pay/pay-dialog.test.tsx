// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { rememberedPayment } from '../../../../domain/payments/remembered-payment.ts'
import { activateLanguage, loadMessages } from '../../../../i18n/i18n.ts'
import { auth } from '../../../../platform/session/auth.ts'
import { PaymentDialogs } from '../payment-dialogs.tsx'
import {
  bank,
  card,
  crypto,
  server,
  show,
  startServer,
  stopServer,
  toastTexts,
  transfer,
} from '../payments.test-data.tsx'
import { usePayments } from '../use-payments.ts'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('wallet', 'payment', 'list')
})
beforeEach(() => startServer())
afterEach(() => {
  cleanup()
  stopServer()
})

function Sample() {
  const payments = usePayments('own')
  const wallet = auth.get().user?.wallets[0]
  if (!wallet) return null
  return (
    <>
      <button type="button" onClick={() => payments.open('pay')}>
        Open
      </button>
      <output>{payments.watched ?? 'nothing'}</output>
      <PaymentDialogs wallet={wallet} payments={payments} />
    </>
  )
}

const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/\s/gu, ' ')
const dialog = () => screen.findByRole('dialog', { name: 'Top up' })
const amount = () => screen.findByLabelText<HTMLInputElement>('Amount (CHF)')
const posts = () => server.sent.filter(({ route }) => route === 'POST /api/v4/payments')

async function open() {
  await show(Sample)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await dialog()
  return user
}

/** Waits until the dialog shows a text from the preview. */
const says = (text: string) =>
  waitFor(async () => expect(plain((await dialog()).textContent)).toContain(text))

const charge = { net: 0, vat: 0, gross: 0, credit: 0, amount: 0, currency: 'CHF', balance: 0 }

async function pay(user: ReturnType<typeof userEvent.setup>, text: string) {
  await user.clear(await amount())
  await user.type(await amount(), text)
  await user.click(screen.getByRole('button', { name: 'Continue to payment' }))
}

describe('the method', () => {
  test("isn't asked for if there is only one", async () => {
    await open()
    await amount()
    expect(screen.queryByRole('radio')).toBeNull()
    expect((await dialog()).textContent).toContain('Credit card')
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
  })

  test('is the first one unless it is changed, by keyboard too', async () => {
    server.methods = [card, transfer]
    const user = await open()
    await waitFor(async () => expect(document.activeElement).toBe(await amount()))
    expect((await dialog()).textContent).toContain('Credit card')
    await user.click(screen.getByRole('button', { name: 'Change' }))
    const first = await screen.findByRole('radio', { name: /Credit card/ })
    await waitFor(() => expect(document.activeElement).toBe(first))
    await user.click(screen.getByRole('radio', { name: /Bank transfer.*several days.*EUR/s }))
    await user.keyboard('{Enter}')
    await waitFor(async () => expect(document.activeElement).toBe(await amount()))
    expect((await dialog()).textContent).toContain('Bank transfer')
    await user.click(screen.getByRole('button', { name: 'Change' }))
    const chosen = await screen.findByRole<HTMLInputElement>('radio', { name: /Bank transfer/ })
    expect(chosen.checked).toBe(true)
  })

  test('shows a message if there is none', async () => {
    server.methods = []
    await open()
    await screen.findByText('No payment method is available.')
    expect(screen.queryByRole('button', { name: 'Continue to payment' })).toBeNull()
  })

  test('can be reloaded after a failure', async () => {
    const failed = vi.fn(() => Response.json({ status: 'error', message: 'Later' }, { status: 503 }))
    server.answers.set('GET /api/v4/payments/methods', failed)
    const user = await open()
    await screen.findByRole('alert')
    server.answers.clear()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await amount()
  })
})

describe('the amount', () => {
  test('defaults to the debt, if any', async () => {
    server.balance = -1230
    await open()
    expect((await amount()).value).toBe('12.30')
    const owed = await screen.findByRole('button', { name: /Amount owed/ })
    expect(owed.getAttribute('aria-pressed')).toBe('true')
  })

  test('can be a suggested one', async () => {
    const user = await open()
    await amount()
    await user.click(await screen.findByRole('button', { name: /3 months/ }))
    expect((await amount()).value).toBe('138.60')
    await says('Balance afterwardsCHF 138.60')
  })

  test("accepts a comma and is converted to the method's currency while typing", async () => {
    server.methods = [transfer]
    server.preview = { charge: { ...charge, amount: 2194, currency: 'EUR' } }
    const user = await open()
    await user.type(await amount(), '20,5')
    await says('You payabout €21.94')
    await user.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() =>
      expect(posts()[0]?.body).toEqual({ amount: '20.50', currency: 'EUR', methodId: 'banktransfer' }),
    )
  })

  test('is shown with the VAT added on top, to the cent', async () => {
    const vat = { rate: 810, mode: 'on-top' } as const
    server.methods = [{ ...card, vat }]
    server.preview = { vat, charge: { ...charge, credit: 1234, vat: 100, gross: 1334, balance: 1234 } }
    const user = await open()
    await user.type(await amount(), '12.34')
    await says('Added to balanceCHF 12.34plus 8.1% VATCHF 1.00You payCHF 13.34Balance afterwardsCHF 12.34')
  })

  test('is shown with the VAT included', async () => {
    const vat = { rate: 810, mode: 'included' } as const
    server.methods = [{ ...card, vat }]
    server.preview = { vat, charge: { ...charge, vat: 81, balance: 1081 } }
    const user = await open()
    await user.type(await amount(), '10.81')
    await says('of which 8.1% VATCHF 0.81Balance afterwardsCHF 10.81')
  })

  test('is converted including VAT', async () => {
    const vat = { rate: 1000, mode: 'on-top' } as const
    server.methods = [{ ...transfer, vat }]
    server.preview = { vat, charge: { ...charge, gross: 2200, amount: 2354, currency: 'EUR' } }
    const user = await open()
    await user.type(await amount(), '20')
    await says('TotalCHF 22.00You payabout €23.54')
  })

  test('shows no total while it is invalid', async () => {
    const user = await open()
    await user.type(await amount(), '4.99')
    await says('Balance afterwards–')
  })

  test('shows an error if the preview fails, with a retry', async () => {
    server.answers.set('POST /api/v4/payments/preview', () =>
      Response.json({ status: 'error', message: 'Later' }, { status: 503 }),
    )
    const user = await open()
    await screen.findByText('We can’t calculate what you pay right now.')
    expect(toastTexts()).toEqual([])
    server.answers.clear()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await says('Balance afterwards–')
  })

  test.each([
    ['much', 'Enter an amount, such as 20.00.'],
    ['1.234', 'Enter an amount, such as 20.00.'],
    ['-5', 'Enter an amount, such as 20.00.'],
    ['4.99', 'Enter at least CHF 5.00.'],
    ['1000000.01', 'This amount is too large. Enter a smaller one.'],
  ])('is refused at its field without asking the server: %s', async (text, words) => {
    const user = await open()
    await says('At least CHF 5.00.')
    await pay(user, text)
    expect(plain((await dialog()).textContent)).toContain(words)
    expect(document.activeElement).toBe(await amount())
    expect(posts()).toEqual([])
  })

  test("shows the server's error at its field", async () => {
    const errors = { amount: 'At most CHF 10,000.00.' }
    server.answers.set('POST /api/v4/payments', () =>
      Response.json({ status: 'error', errors }, { status: 422 }),
    )
    const user = await open()
    await pay(user, '20000')
    await screen.findByText('At most CHF 10,000.00.')
    expect((await amount()).getAttribute('aria-invalid')).toBe('true')
  })
})

describe('sending', () => {
  test('happens once, however often the button is pressed', async () => {
    let finish = () => {}
    const slow = new Promise<void>((done) => (finish = done))
    server.answers.set('POST /api/v4/payments', () =>
      slow.then(() => Response.json({ status: 'success', id: 'p9' })),
    )
    const user = await open()
    await pay(user, '20')
    await user.click(screen.getByRole('button', { name: 'One moment…' }))
    await user.type(await amount(), '{Enter}')
    await act(async () => finish())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(posts()).toHaveLength(1)
  })

  test('keeps the dialog open after a failure, shows the reason, and retries the same payment', async () => {
    server.answers.set('POST /api/v4/payments', () =>
      Response.json({ status: 'error', message: 'The provider does not answer.' }, { status: 503 }),
    )
    const user = await open()
    await pay(user, '20')
    await waitFor(() => expect(toastTexts()).toEqual(['The provider does not answer.']))
    await user.click(await screen.findByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(posts()).toHaveLength(2))
    expect(posts()[0]?.key).toBeTruthy()
    expect(posts()[1]?.key).toBe(posts()[0]?.key)
    await waitFor(() => expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeTruthy())
    await pay(user, '21')
    await waitFor(() => expect(posts()).toHaveLength(3))
    expect(posts()[2]?.key).not.toBe(posts()[0]?.key)
    await dialog()
  })

  test("redirects to the provider's page and remembers the payment", async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    server.answers.set('POST /api/v4/payments', () =>
      Response.json({ status: 'success', id: 'p9', redirectUrl: 'https://pay.test/p9' }),
    )
    const user = await open()
    await pay(user, '20')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.test/p9'))
    expect(rememberedPayment()).toBe('p9')
    expect(screen.getByRole('button', { name: 'One moment…' }).getAttribute('aria-busy')).toBe('true')
    // the back button restores the page as it was left
    const back = Object.assign(new Event('pageshow'), { persisted: true })
    act(() => void window.dispatchEvent(back))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('status').textContent).toBe('p9')
  })

  test('never redirects to anything but a web page', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.answers.set('POST /api/v4/payments', () =>
      Response.json({ status: 'success', id: 'p9', redirectUrl: 'javascript:alert(1)' }),
    )
    const user = await open()
    await pay(user, '20')
    await waitFor(() => expect(reported).toHaveBeenCalled())
    expect(assign).not.toHaveBeenCalled()
  })

  test('without a redirect says that the payment is pending', async () => {
    const user = await open()
    await pay(user, '20')
    await waitFor(() => expect(toastTexts()[0]).toMatch(/^Your payment is in progress/))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a provider page in a separate window', () => {
  beforeEach(() => {
    server.methods = [crypto]
    server.answers.set('POST /api/v4/payments', () =>
      Response.json({ status: 'success', id: 'p9', newWindowUrl: 'https://pay.test/p9' }),
    )
  })

  test('opens without access to this page', async () => {
    const beside = { opener: window as unknown, location: { assign: vi.fn() } }
    // parts of a window the hand-off doesn't use are omitted
    vi.spyOn(window, 'open').mockReturnValue(beside as unknown as Window)
    const user = await open()
    await pay(user, '20')
    await screen.findByRole('dialog', { name: 'Pay in the other window' })
    expect(beside.location.assign).toHaveBeenCalledWith('https://pay.test/p9')
    expect(beside.opener).toBeNull()
    expect(screen.queryByText('Your browser blocked the payment window.')).toBeNull()
  })

  test('is shown as a link if the browser blocks it', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    const user = await open()
    await pay(user, '20')
    await screen.findByText('Your browser blocked the payment window.')
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open payment page' })
    expect([link.href, link.target, link.rel]).toEqual([
      'https://pay.test/p9',
      '_blank',
      'noopener noreferrer',
    ])
  })
})

describe('the URL', () => {
  test('opens the dialog and is reset when it is closed', async () => {
    const { location } = await show(Sample, '/wallet?tab=history&pay=1')
    await dialog()
    await userEvent.setup().keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(location()).toBe('/wallet?tab=history'))
  })

  test('opens nothing for users who may not pay', async () => {
    startServer(['wallets'])
    await show(Sample, '/wallet?pay=1')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy())
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('allows another payment while one is pending', async () => {
  server.pending = [bank]
  const user = await open()
  await pay(user, '20')
  await waitFor(() => expect(posts()).toHaveLength(1))
})
