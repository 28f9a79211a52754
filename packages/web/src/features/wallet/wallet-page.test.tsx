// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { bank, server, show, startServer, stopServer } from './payments/payments.test-data.tsx'
import { WalletPage } from './wallet-page.tsx'

const nothing = { status: 'success', list: [], count: 0, hasMore: false, page: 1 }
const costs = { monthly: 2591, total: 0, currency: 'CHF', discount: 0 }

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('wallet', 'payment', 'list', 'words')
})
beforeEach(() => {
  startServer()
  server.answers.set('GET /api/v4/wallets/own/transactions', () => Response.json(nothing))
  server.answers.set('GET /api/v4/wallets/own/receipts', () => Response.json(nothing))
  server.answers.set('GET /api/v4/wallets/own/costs', () => Response.json({ ...nothing, ...costs }))
  server.answers.set('GET /api/v4/wallets/own/referral-programs', () => Response.json(nothing))
  server.answers.set('GET /api/v4/wallets/own/settings', () =>
    Response.json({ alerts: [], monthly_ceiling: null, alertStates: [] }),
  )
})
afterEach(() => {
  cleanup()
  stopServer()
})

const selected = () =>
  screen.getAllByRole('tab', { selected: true }).map(({ textContent }) => textContent?.replace(/\d+$/, ''))
const outer = () => {
  const [list] = screen.getAllByRole('tablist')
  return [...(list?.children ?? [])].map(({ textContent }) => textContent)
}

test('shows the history first and everything in four tabs', async () => {
  await show(WalletPage)
  await screen.findByRole('heading', { name: 'No transactions yet' })
  expect(outer()).toEqual(['History', 'Receipts', 'Costs and forecast', 'More'])
  expect(selected()).toEqual(['History'])
})

test.each([
  ['receipts', ['Receipts']],
  ['costs', ['Costs and forecast', 'Costs']],
  ['forecast', ['Costs and forecast', 'Forecast']],
  ['alerts', ['More', 'Alerts and ceiling']],
  ['referral', ['More', 'Referral programmes']],
  ['verify', ['More', 'Verify']],
  ['pending', ['More', 'Pending payments']],
])('an older link to %s still leads there', async (tab, expected) => {
  server.pending = [bank]
  await show(WalletPage, `/wallet?tab=${tab}`)
  await waitFor(() => expect(selected()).toEqual(expected))
  // a panel belongs to its own tab only
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  [2591, undefined],
  [2079, /^On 1 December only CHF\s20\.79 of this is charged\./],
  [5000, /^On 1 December more than this is charged: CHF\s50\.00\./],
])('a next charge of %i cents beside 25.91 a month is explained', async (amount, text) => {
  server.answers.set('GET /api/v4/wallets/own/forecast', () =>
    Response.json({
      ...{ currency: 'CHF', balance: 0, pending: 0, owed: 0, lastsUntil: null, months: [] },
      ...{ next: { date: '2026-12-01', amount }, priceChanges: [] },
    }),
  )
  await show(WalletPage)
  // the next charge beside it may be the same amount
  await screen.findByText(/CHF\s25\.91/, { selector: 'b' })
  await screen.findAllByText(/1 December/)
  if (text) await screen.findByText(text)
  else expect(screen.queryByText(/of this is charged|more than this/)).toBeNull()
})

test('shows costs by name, or by kind if there is no name', async () => {
  const row = { monthly: 0, skus: [] }
  server.answers.set('GET /api/v4/wallets/own/costs', () =>
    Response.json({
      ...costs,
      ...{ count: 2, hasMore: false, total: 2 },
      list: [
        { ...row, objectType: 'resource', objectId: 5, name: 'Beamer' },
        { ...row, objectType: 'room', objectId: 123_677_539, name: null },
      ],
    }),
  )
  await show(WalletPage, '/wallet?tab=costs')
  const beamer = (await screen.findByText('Beamer')).closest('tr')
  expect(beamer?.textContent).toContain('Resource')
  const room = screen.getByText('Room').closest('tr')
  expect(room?.textContent).not.toContain('123677539')
})

test("the details of a charge end with a total equal to the entry's amount", async () => {
  const entry = {
    id: 'e1',
    createdAt: '2026-11-20 03:14',
    type: 'debit',
    description: 'Subscription charges',
  }
  const line = { ...entry, type: 'billed', currency: 'CHF', hasDetails: false }
  const charge = { ...entry, amount: -2079, currency: 'CHF', hasDetails: true, balance: 7921, number: 4 }
  const lines = [
    { ...line, id: 'p1', description: 'Mailbox for jane@acme.test', amount: 1729 },
    { ...line, id: 'p2', description: 'Room for Monday meeting', amount: 350 },
  ]
  let list: object[] = [charge]
  server.answers.set('GET /api/v4/wallets/own/transactions', () => Response.json({ ...nothing, list }))
  await show(WalletPage)
  const toggle = await screen.findByRole('button', { name: /^Details of Subscription charges/ })
  list = lines
  toggle.click()
  const total = (await screen.findByText('Total')).parentElement
  expect(total?.textContent?.replaceAll(/\s/gu, ' ')).toBe('TotalCHF 20.79')
  expect(screen.getByText(/−\sCHF\s20\.79/)).toBeTruthy()
  expect(screen.getByText('Entry 4', { exact: false })).toBeTruthy()
})
