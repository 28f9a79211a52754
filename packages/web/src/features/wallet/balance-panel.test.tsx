// @vitest-environment happy-dom
import type { WalletDetail } from '@gatehouse/contract/billing/wallets'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { BalancePanel } from './balance-panel.tsx'
import { server, show, startServer, stopServer } from './payments/payments.test-data.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('wallet', 'payment', 'list')
})
beforeEach(() => startServer())
afterEach(() => {
  cleanup()
  stopServer()
})

/** The text beside "Lasts until". */
async function lastsUntil(): Promise<string> {
  const term = await screen.findByText('Lasts until')
  return term.parentElement?.querySelector('dd')?.textContent ?? ''
}

const wallet: WalletDetail = {
  ...{ id: 'own', user_id: 1, currency: 'CHF', balance: 5000, description: null },
  ...{
    notice: null,
    noticeKind: null,
    discount_id: null,
    discount: null,
    discount_description: null,
    provider: 'sandbox',
  },
  ...{ lastsUntil: null, canUpdate: true },
}

test.each<[string, Partial<WalletDetail>, string]>([
  ['the day, in words', { lastsUntil: '2027-02-03' }, '3 February 2027'],
  ['that it is used up', { balance: -1 }, 'Used up'],
  ['that it never ends', { discount: 100, discount_id: 'd' }, 'Unlimited'],
])('says how long the balance lasts: %s', async (_, change, expected) => {
  server.answers.set('GET /api/v4/wallets/own', () => Response.json({ ...wallet, ...change }))
  await show(() => <BalancePanel id="own" />)
  expect(await lastsUntil()).toContain(expected)
})

const lasts = 'At current use your balance lasts until 3 February 2027 (2 months).'

test('shows the day once', async () => {
  server.answers.set('GET /api/v4/wallets/own', () =>
    Response.json({ ...wallet, lastsUntil: '2027-02-03', notice: lasts, noticeKind: 'lasts' }),
  )
  await show(() => <BalancePanel id="own" />)
  await screen.findByText('3 February 2027')
  expect(document.body.textContent?.match(/2027/g)).toHaveLength(1)
})

test.each<[string, Partial<WalletDetail>, string]>([
  ['that it ends soon', { lastsUntil: '2026-12-07', notice: lasts, noticeKind: 'lasts' }, 'runs out soon'],
  [
    'its end today',
    { lastsUntil: '2026-12-02', notice: 'Used up today.', noticeKind: 'today' },
    'Used up today.',
  ],
  [
    'a trial',
    { lastsUntil: '2027-02-03', notice: 'You’re in your trial.', noticeKind: 'trial' },
    'in your trial',
  ],
  ['a debt', { balance: -1, notice: 'It is used up.', noticeKind: 'used-up' }, 'It is used up.'],
])('says what the facts do not: %s', async (_, change, expected) => {
  server.answers.set('GET /api/v4/wallets/own', () => Response.json({ ...wallet, ...change }))
  await show(() => <BalancePanel id="own" />)
  await screen.findByText(new RegExp(expected))
})
