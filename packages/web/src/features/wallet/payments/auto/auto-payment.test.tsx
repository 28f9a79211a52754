// @vitest-environment happy-dom
import type { Mandate } from '@gatehouse/contract/billing/payments'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../../../i18n/i18n.ts'
import { auth } from '../../../../platform/session/auth.ts'
import { mandateKind } from '../payment-calls.ts'
import { PaymentDialogs } from '../payment-dialogs.tsx'
import {
  card,
  noMandate,
  server,
  show,
  startServer,
  stopServer,
  toastTexts,
  transfer,
  visa,
} from '../payments.test-data.tsx'
import { usePayments } from '../use-payments.ts'
import { AutoPanel } from './auto-panel.tsx'

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
      <AutoPanel wallet={wallet} forecast={undefined} payments={payments} />
      <PaymentDialogs wallet={wallet} payments={payments} />
    </>
  )
}

const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/\s/gu, ' ')
/** Waits until the dialog shows a text from the preview. */
const says = (text: string) =>
  waitFor(async () => expect(plain((await screen.findByRole('dialog')).textContent)).toContain(text))
const panel = () => screen.findByRole('region', { name: 'Auto-payment' })
const amount = () => screen.findByLabelText<HTMLInputElement>('Top-up amount (CHF)')
const threshold = () => screen.getByLabelText<HTMLInputElement>('When the balance falls below (CHF)')
const sent = () => server.sent.map(({ route, body }) => ({ route, body }))

async function shown(mandate: Mandate) {
  server.mandate = mandate
  await show(Sample)
  await screen.findAllByRole('button')
  return userEvent.setup()
}

test.each([
  ['none', noMandate],
  ['failed', { ...visa, isValid: false }],
  ['pending', { ...visa, isValid: false, isPending: true }],
  ['disabled', { ...visa, isDisabled: true }],
  ['valid', visa],
] as const)('the state of a mandate: %s', (kind, mandate) => {
  expect(mandateKind(mandate)).toBe(kind)
})

describe('the panel', () => {
  test('offers to set it up if there is none', async () => {
    await shown(noMandate)
    expect((await panel()).textContent).toContain('Auto-payment tops up your balance')
    await screen.findByRole('button', { name: 'Set up auto-payment' })
    expect(screen.queryByRole('button', { name: /Cancel/ })).toBeNull()
  })

  test('reports a failed setup and offers to retry or discard it', async () => {
    await shown({ ...visa, isValid: false })
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The setup of automatic payments failed. Restart the process to enable automatic top-ups.',
    )
    await screen.findByRole('button', { name: 'Set up auto-payment' })
    await screen.findByRole('button', { name: 'Cancel auto-payment…' })
  })

  test('shows a pending setup', async () => {
    await shown({ ...visa, isValid: false, isPending: true })
    await screen.findByText('In progress')
    expect(plain((await panel()).textContent)).toContain('Top-up amountCHF 50.00When belowCHF 20.00')
    await screen.findByRole('button', { name: 'Change' })
  })

  test('says that it is disabled and how to fix it', async () => {
    await shown({ ...visa, isDisabled: true })
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The configured auto-payment has been disabled. Top up your wallet or raise the auto-payment amount.',
    )
    await screen.findByRole('button', { name: 'Change' })
  })

  test('shows the reason reported by the server', async () => {
    await shown({ ...visa, isDisabled: true, notice: 'The card was refused.' })
    expect((await screen.findByRole('alert')).textContent).toBe('The card was refused. ')
  })

  test('links back to an abandoned setup', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    server.answers.set('POST /api/v4/payments/mandate', () =>
      Response.json({ status: 'success', id: 'p9', redirectUrl: 'https://pay.test/p9' }),
    )
    const user = await shown({ ...visa, isValid: false, isPending: true })
    await user.click(await screen.findByRole('button', { name: 'Open the payment page again' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.test/p9'))
    const body = { amount: '50.00', balance: '20.00', methodId: 'creditcard', currency: 'CHF' }
    expect(sent()).toEqual([{ route: 'POST /api/v4/payments/mandate', body }])
  })

  test('shows amount, threshold and method when it is on', async () => {
    await shown(visa)
    await screen.findByText('On')
    const text = plain((await panel()).textContent)
    expect(text).toContain('Top-up amountCHF 50.00When belowCHF 20.00MethodVisa ending 4242')
  })

  test('can be reloaded after a failure', async () => {
    server.answers.set('GET /api/v4/payments/mandate', () =>
      Response.json({ status: 'error' }, { status: 503 }),
    )
    const user = await shown(visa)
    await screen.findByRole('alert')
    server.answers.clear()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('On')
  })
})

describe('a set-up', () => {
  test('sends amounts and method, then redirects to the provider', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    server.answers.set('POST /api/v4/payments/mandate', () =>
      Response.json({ status: 'success', id: 'p9', redirectUrl: 'https://pay.test/p9' }),
    )
    const user = await shown(noMandate)
    await user.click(await screen.findByRole('button', { name: 'Set up auto-payment' }))
    expect((await amount()).value).toBe('10.00')
    await user.clear(await amount())
    await user.type(await amount(), '25,5')
    await user.clear(threshold())
    await user.type(threshold(), '5{Enter}')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.test/p9'))
    const body = { amount: '25.50', balance: '5.00', methodId: 'creditcard', currency: 'CHF' }
    expect(sent()).toEqual([{ route: 'POST /api/v4/payments/mandate', body }])
  })

  test('asks for the method if there are several', async () => {
    server.methods = [card, { ...transfer, id: 'directdebit', name: 'Direct debit' }]
    const user = await shown(noMandate)
    await user.click(await screen.findByRole('button', { name: 'Set up auto-payment' }))
    await user.click(await screen.findByRole('radio', { name: /Direct debit/ }))
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await amount()
  })

  test('requires the minimum amount and shows the error at the field', async () => {
    const user = await shown(noMandate)
    await user.click(await screen.findByRole('button', { name: 'Set up auto-payment' }))
    await user.clear(await amount())
    await user.type(await amount(), '9.99')
    await user.clear(threshold())
    await user.type(threshold(), 'x{Enter}')
    const text = plain((await screen.findByRole('dialog')).textContent)
    expect(text).toContain('Enter at least CHF 10.00.')
    expect(text).toContain('Enter an amount, such as 20.00.')
    expect(sent()).toEqual([])
  })

  test('says in advance that the first payment is included', async () => {
    const user = await shown(noMandate)
    await user.click(await screen.findByRole('button', { name: 'Set up auto-payment' }))
    await amount()
    expect(screen.queryByText(/is charged/)).toBeNull()
    server.preview = { isAtOnce: true }
    await user.clear(threshold())
    await user.type(threshold(), '5')
    await says('The first CHF 10.00 is charged during setup.')
  })
})

describe('a change', () => {
  test.each([
    ['valid', visa],
    ['pending', { ...visa, isValid: false, isPending: true }],
    ['disabled', { ...visa, isDisabled: true }],
  ])('of what is %s sends the amounts and keeps the method', async (_, mandate) => {
    const user = await shown(mandate)
    await user.click(await screen.findByRole('button', { name: 'Change' }))
    expect((await amount()).value).toBe('50.00')
    await user.clear(await amount())
    await user.type(await amount(), '60{Enter}')
    await waitFor(() => expect(toastTexts()).toEqual(['Changed.']))
    expect(sent()).toEqual([
      { route: 'PUT /api/v4/payments/mandate', body: { amount: '60.00', balance: '20.00' } },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('says whether it charges at once or only re-enables auto-payment', async () => {
    const user = await shown({ ...visa, isDisabled: true, balance: 0 })
    await user.click(await screen.findByRole('button', { name: 'Change' }))
    await amount()
    await screen.findByText('Saving turns auto-payment back on.')
    server.preview = { isAtOnce: true }
    await user.clear(threshold())
    await user.type(threshold(), '1')
    await says('CHF 50.00 is charged immediately when you save.')
  })

  test('of a mandate cancelled elsewhere shows the current state', async () => {
    const user = await shown(visa)
    await user.click(await screen.findByRole('button', { name: 'Change' }))
    await amount()
    server.mandate = noMandate
    server.answers.set('PUT /api/v4/payments/mandate', () =>
      Response.json({ status: 'error', message: 'There is none.' }, { status: 404 }),
    )
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastTexts()).toEqual(['There is none.']))
    await screen.findByRole('dialog', { name: 'Set up auto-payment' })
  })
})

test('cancelling names what is cancelled and requires confirmation', async () => {
  const user = await shown(visa)
  await user.click(await screen.findByRole('button', { name: 'Cancel auto-payment…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel auto-payment by Visa ending 4242?' })
  expect(document.activeElement?.textContent).toBe('Keep')
  expect(plain(dialog.textContent)).toContain(
    'no longer be topped up by CHF 50.00 when it falls below CHF 20.00',
  )
  await user.click(within(dialog).getByRole('button', { name: 'Keep' }))
  expect(sent()).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Cancel auto-payment…' }))
  server.mandate = noMandate
  await user.click(screen.getByRole('button', { name: 'Cancel auto-payment' }))
  await waitFor(() => expect(toastTexts()).toEqual(['Auto-payment is cancelled.']))
  await screen.findByRole('button', { name: 'Set up auto-payment' })
})

test('shows the VAT of each top-up before setup and before a change', async () => {
  const vat = { rate: 810, mode: 'on-top' } as const
  server.methods = [{ ...card, vat }]
  const charge = {
    net: 5000,
    vat: 405,
    gross: 5405,
    credit: 5000,
    amount: 5405,
    currency: 'CHF',
    balance: 5000,
  }
  server.preview = { vat, charge, isAtOnce: true }
  const user = await shown({ ...noMandate, vat })
  await user.click(await screen.findByRole('button', { name: 'Set up auto-payment' }))
  await user.clear(await amount())
  await user.type(await amount(), '50')
  await user.clear(threshold())
  await user.type(threshold(), '20')
  await says('Added to balanceCHF 50.00plus 8.1% VATCHF 4.05Charge per top-upCHF 54.05')
  await says('The first CHF 54.05 is charged during setup.')
})
