// @vitest-environment happy-dom
import { focusManager } from '@tanstack/react-query'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { lightPoll } from '../../domain/payments/payment-poll.ts'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { bank, server, show, startServer, stopServer } from './payments/payments.test-data.tsx'
import { WalletPage } from './wallet-page.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('wallet', 'payment', 'list')
})
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  startServer()
})
afterEach(() => {
  focusManager.setFocused(undefined)
  vi.useRealTimers()
  cleanup()
  stopServer()
})

const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/\s/gu, ' ')
const figure = async () => plain((await screen.findByRole('region', { name: 'Balance' })).textContent)
const wait = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))

test('an incoming payment updates the balance on the wallet page', async () => {
  server.pending = [bank]
  await show(WalletPage)
  expect(await figure()).toContain('CHF 0.00')
  server.pending = []
  server.balance = 5000
  await wait(lightPoll)
  await waitFor(async () => expect(await figure()).toContain('CHF 50.00'))
})

test('refetches the wallet when the page regains focus', async () => {
  await show(WalletPage)
  expect(await figure()).toContain('CHF 0.00')
  server.balance = 1200
  await wait(10 * lightPoll)
  expect(await figure()).toContain('CHF 0.00')
  act(() => {
    focusManager.setFocused(false)
    focusManager.setFocused(true)
  })
  await waitFor(async () => expect(await figure()).toContain('CHF 12.00'))
})
