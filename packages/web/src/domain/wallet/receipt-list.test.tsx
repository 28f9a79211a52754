// @vitest-environment happy-dom
import type { ReceiptMonth } from '@gatehouse/contract/billing/receipts'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { ReceiptList } from './receipt-list.tsx'

const october: ReceiptMonth = {
  ...{ period: '2026-10', amount: 9500, currency: 'CHF' },
  documents: [
    { number: '2026-000042', kind: 'receipt', amount: 10_000 },
    { number: 'G2026-000003', kind: 'credit-note', amount: -500 },
  ],
}

let months: ReceiptMonth[] = []
const asked: string[] = []

/** Mocked server following the contract. */
async function answer(url: string): Promise<Response> {
  asked.push(url)
  if (!url.includes('/receipts?')) {
    const headers = { 'Content-Disposition': 'attachment; filename="Gatehouse Receipt for 2026-10.pdf"' }
    return new Response('%PDF', { headers })
  }
  const page = { status: 'success', list: months, count: months.length, hasMore: false, page: 1 }
  return Response.json(page)
}

const saved: string[] = []

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('wallet', 'list')
})
beforeEach(() => {
  vi.stubGlobal('fetch', answer)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  saved.length = 0
  asked.length = 0
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const show = () =>
  renderRouted(() => (
    <QueryScope>
      <ReceiptList id="w1" />
    </QueryScope>
  ))

test("lists a month's documents by number and saves it under the file name from the server", async () => {
  months = [october]
  await show()
  const row = (await screen.findByText('October 2026')).closest('tr')
  if (!row) throw new Error('the month stands in a row')
  const text = row.textContent?.replaceAll(/\s/gu, ' ')
  expect(text).toContain('Receipt 2026-000042')
  expect(text).toContain('Credit note G2026-000003: − CHF 5.00')
  expect(text).toContain('CHF 95.00')
  await userEvent.setup().click(within(row).getByRole('button', { name: 'Download October 2026' }))
  await vi.waitFor(() => expect(saved).toEqual(['Gatehouse Receipt for 2026-10.pdf']))
  expect(asked.at(-1)).toBe('/api/v4/wallets/w1/receipts/2026-10')
})

test('says when documents will appear if there are none', async () => {
  months = []
  await show()
  await screen.findByText('No receipts yet')
  expect(screen.getByText(/issued after the month ends/)).toBeTruthy()
})
