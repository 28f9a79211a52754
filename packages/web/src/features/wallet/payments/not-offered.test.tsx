// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { WalletPage } from '../wallet-page.tsx'
import { server, show, startServer, stopServer, visa } from './payments.test-data.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('wallet', 'payment', 'list')
})
afterEach(() => {
  cleanup()
  stopServer()
})

test("shows a message instead of the buttons if payments aren't available", async () => {
  startServer(['wallets'])
  await show(WalletPage)
  await screen.findByText('Online payment isn’t available')
  expect(screen.queryByRole('button', { name: 'Top up' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Auto-payment' })).toBeNull()
})

test('shows no message to users who only pay by auto-payment', async () => {
  startServer(['wallets', 'walletMandates'])
  server.mandate = visa
  await show(WalletPage)
  await screen.findByRole('region', { name: 'Auto-payment' })
  expect(screen.queryByText('Online payment isn’t available')).toBeNull()
})
