// @vitest-environment happy-dom
import type { PricePreview, SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { PackageSelect } from './package-select.tsx'
import { PricePanel } from './price-panel.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('subscriptions', 'words')
})
afterEach(cleanup)

const free = { month: 0, year: 0 }
const paid = { month: 70, year: 0 }

const preview = (billed: typeof free): PricePreview => ({
  ...{ currency: 'CHF', discount: 30, trialUntil: null, later: [], monthly: { now: 0, next: 0 } },
  ...{ lines: [], options: [], dueNow: 0, change: 0, billed: { now: free, next: billed } },
  // the billed one isn't offered here
  packages: [
    { id: 'p', billed },
    { id: 'other', billed: paid },
  ],
})

const state = (billed: typeof free) => ({
  ...{ preview: preview(billed), pending: false, failed: false, retry: () => Promise.resolve() },
})

test.each([
  ['is there for a price that carries it', paid, 1],
  ['is not there where everything is free', free, 0],
])('the footnote of a discount %s', (_, billed, count) => {
  const item: SubscriptionPackage = {
    ...{ id: 'p', title: 'p', name: 'Domain', description: '', isDomain: true, cost: 0 },
  } as SubscriptionPackage // fields the list doesn't read are omitted
  render(
    <PackageSelect
      {...{ id: 'package', name: 'package', label: 'Package', packages: [item], value: 'p' }}
      onValue={() => undefined}
      pricing={{ currency: 'CHF', discount: 30 }}
      price={state(billed)}
    />,
  )
  expect(screen.queryAllByText(/30% discount/)).toHaveLength(count)
  expect(document.body.textContent?.match(/¹/g) ?? []).toHaveLength(2 * count)
})

test.each([
  ['is said beside a price', paid, 1],
  ['is not said beside what is free', free, 0],
])('a discount %s', (_, billed, count) => {
  render(<PricePanel isNew state={state(billed)} />)
  expect(screen.queryAllByText(/30%/)).toHaveLength(count)
})
