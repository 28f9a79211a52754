import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useVisitor, type VisitOptions } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { variantUrl } from '../support/sign-in.ts'

const { visitAs } = useVisitor()

/** Signs in to the admin cockpit and opens one of its pages. */
async function visitCockpit(path: string, options: VisitOptions = {}): Promise<Page> {
  const page = await visitAs('admin@example.test', variantUrl(portal.appUrl, 'admin', path), options)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const main = (page: Page) => page.locator('main')
const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search)

describe('statistics', () => {
  test('are charts with titles, each with a table of its numbers', async () => {
    const page = await visitCockpit('/stats')
    for (const name of [
      'Users created and deleted',
      'Total users',
      'Payments received CHF',
      'Paying accounts',
      'Discounts in use',
      'Vouchers in use',
      'Users by country',
    ]) {
      await main(page).getByRole('region', { name, exact: true }).waitFor()
    }
    const users = main(page).getByRole('region', { name: 'Total users', exact: true })
    await users.getByRole('img').waitFor()
    await page.getByRole('button', { name: '12 months' }).click()
    await path(page).toBe('/stats?period=12m')
    await expect.poll(() => users.getByRole('row').count()).toBeGreaterThan(50)
    await users.getByRole('img').waitFor()
    const discounts = main(page).getByRole('region', { name: 'Discounts in use', exact: true })
    await discounts.getByRole('row').filter({ hasText: '30%' }).waitFor()
  })

  test('have the period in the URL, and totals compared with the previous period', async () => {
    const page = await visitCockpit('/stats?period=custom&from=2025-02-03&to=2025-02-16')
    const figures = main(page).getByRole('region', { name: 'Key figures', exact: true })
    await figures.getByText('Compared with 20 Jan 2025 to 2 Feb 2025.').waitFor()
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2025-02-03')
    const income = main(page).getByRole('region', { name: /^Payments received( [A-Z]{3})?$/ })
    await income.getByText('No data for this period yet.').waitFor()
    expect((await income.boundingBox())?.height ?? 0).toBeLessThan(140)
    await page.getByRole('button', { name: 'Last 4 weeks' }).click()
    await path(page).toBe('/stats?period=4w')
    await figures.getByText('New users').waitFor()
    const created = main(page).getByRole('region', { name: 'Users created and deleted', exact: true })
    await expect.poll(() => created.getByRole('row').count()).toBe(6)
    await expect.poll(() => figures.getByText('Compared with 20 Jan 2025').count()).toBe(0)
    await page.goBack()
    await figures.getByText('Compared with 20 Jan 2025 to 2 Feb 2025.').waitFor()
  })

  test('show an error in place of a chart that fails to load, with a retry', async () => {
    const page = await visitCockpit('/dashboard', { expectedErrors: ['net::ERR_FAILED'] })
    await page.route('**/stats/chart/payers?*', (route) => route.abort())
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Statistics' }).click()
    const payers = main(page).getByRole('region', { name: 'Paying accounts', exact: true })
    await payers.getByRole('alert').waitFor({ timeout: 20_000 })
    await main(page).getByRole('region', { name: 'Total users', exact: true }).getByRole('img').waitFor()
    await page.unroute('**/stats/chart/payers?*')
    await payers.getByRole('button', { name: 'Try again' }).click()
    await payers.getByRole('alert').waitFor({ state: 'detached' })
  })
})
