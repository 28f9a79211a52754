import { text } from 'node:stream/consumers'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { owner, ownerToken, send } from '../support/users.ts'

const { visitAs } = useVisitor()

const main = (page: Page) => page.locator('main')
const table = (page: Page, name: string) => main(page).getByRole('table', { name, exact: true })
const rows = (page: Page, name: string) => table(page, name).locator('tbody tr:not(.data-detail)')
const balanceCard = (page: Page) => main(page).getByRole('region', { name: 'Balance', exact: true })
const search = (page: Page) => new URL(page.url()).search

/** The text with plain spaces, because number formats use different ones. */
const words = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/gu, ' ')

/** The wallet of the demo's owner, from the API. */
async function wallet(): Promise<{ token: string; path: string; balance: number }> {
  const token = await ownerToken()
  const { wallets } = await send<{ wallets: { id: string; balance: number }[] }>('/api/auth/info', { token })
  const [own] = wallets
  if (own === undefined) throw new Error('the owner of the demo has a wallet')
  return { token, path: `/api/v4/wallets/${own.id}`, balance: own.balance }
}

const money = (cents: number) =>
  new Intl.NumberFormat('en-CH', { style: 'currency', currency: 'CHF' })
    .format(cents / 100)
    .replaceAll(/\s/gu, ' ')

test('a past month has a receipt, which downloads as a PDF with its file name', async () => {
  const page = await visitAs(owner, '/wallet?tab=receipts')
  const month = rows(page, 'Receipts').last()
  await month.getByText(/^Receipt R\d{4}-\d{6}/).waitFor()
  expect(await words(month)).toContain('CHF 100.00')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    month.getByRole('button', { name: /Download/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Gatehouse Receipt for \d{4}-\d{2}\.pdf$/)
  expect((await text(await download.createReadStream())).slice(0, 5)).toBe('%PDF-')
})

describe('the balance', () => {
  test('is on the dashboard and links to the wallet, which shows how long it will last', async () => {
    const page = await visitAs(owner, '/dashboard')
    const { balance } = await wallet()
    const tile = page
      .getByRole('list', { name: 'Your areas' })
      .getByRole('listitem')
      .filter({ hasText: 'Wallet' })
    expect(await tile.locator('.negative').count()).toBe(0)
    await tile.getByRole('link', { name: 'Wallet', exact: true }).click()
    await balanceCard(page).waitFor()
    const card = await words(balanceCard(page))
    expect(card).toContain(money(balance))
    expect(card).toContain('In credit')
    expect(card).toMatch(/Lasts until \d+ \w+ \d{4}/)
    expect(card).toMatch(/Next charge \d+ \w+, CHF \d+\.\d\d/)
    expect(card).toContain('30%, Education')
    // it appears once
    expect(card.match(/last(s)? until/gi)).toHaveLength(1)
    const chart = balanceCard(page).getByRole('img')
    expect(await chart.getAttribute('aria-label')).toMatch(/^Balance from \w+ \d{4} to \w+ \d{4}: CHF/)
  })

  test('below zero is red everywhere, with a minus sign and a text', async () => {
    const page = await visitAs('degraded@example.test', '/dashboard')
    await page.locator('.tile .negative').waitFor()
    await page.getByRole('link', { name: 'Top up wallet' }).click()
    await balanceCard(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/wallet')
    const card = await words(balanceCard(page))
    expect(card).toMatch(/− CHF \d+\.\d\d Below zero/)
    expect(card).toContain('Your balance is used up.')
    expect(await balanceCard(page).locator('.money.negative').count()).toBe(1)
  })

  test('is formatted for the language', async () => {
    const page = await visitAs(owner, '/wallet')
    await rows(page, 'History').first().waitFor()
    await page.getByRole('button', { name: /: English$/ }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Guthaben' }).waitFor()
    await expect.poll(async () => words(table(page, 'Verlauf'))).toMatch(/\+ 100,00 CHF/)
  })
})

describe('the history', () => {
  test('comes first and lists credits and charges, with what each charge was for', async () => {
    const page = await visitAs(owner, '/wallet')
    await rows(page, 'History').first().waitFor()
    const charge = rows(page, 'History').filter({ hasText: 'Subscription charges' }).first()
    expect(await words(charge)).toMatch(/− CHF 20\.79/)
    const bonus = rows(page, 'History').filter({ hasText: 'Bonus' })
    expect(await words(bonus)).toMatch(/\+ CHF 5\.00/)
    expect(await bonus.getByRole('button').count()).toBe(0)
    const toggle = charge.getByRole('button', { name: /^Details of Subscription charges/ })
    expect(await toggle.getAttribute('aria-expanded')).toBe('false')
    await toggle.press('Enter')
    const details = table(page, 'History').locator('.data-detail')
    await details.getByText('Mailbox for jane@acme.test').waitFor()
    expect(await details.getByRole('listitem').count()).toBe(6)
    expect(await words(details)).toContain('CHF 3.50')
    expect(await words(details)).toMatch(/Total CHF 20\.79$/)
    expect(await words(details)).not.toContain('a deleted object')
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    await toggle.click()
    await details.waitFor({ state: 'detached' })
  })

  test('is filtered by type and date, and a URL restores the filter', async () => {
    const page = await visitAs(owner, '/wallet')
    await page.getByLabel('Type').selectOption('Charge')
    await expect.poll(() => rows(page, 'History').count()).toBe(2)
    expect(search(page)).toBe('?type=debit')
    await page.reload()
    await expect.poll(() => rows(page, 'History').count()).toBe(2)
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('2020-01-01')
    await page.getByText('No matches').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => rows(page, 'History').count()).toBe(5)
    await page.getByRole('tab', { name: 'Costs and forecast' }).click()
    await expect.poll(() => search(page)).toBe('?tab=costs')
  })

  test('is exported with the current filter', async () => {
    const page = await visitAs(owner, '/wallet?tab=history&type=award')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('transactions.csv')
    const content = await text(await download.createReadStream())
    expect(content).toMatch(/^"Date","Type","Description","Amount","Balance","Currency"\r\n/)
    expect(content.trim().split('\r\n')).toHaveLength(2)
    expect(content).toContain(',"award",')
  })
})

test('costs per user and object can be searched and sorted, and link to its page', async () => {
  const page = await visitAs(owner, '/wallet?tab=costs')
  await rows(page, 'Costs').first().waitFor()
  expect(await words(main(page))).toMatch(/CHF \d+\.\d\d a month for \d+ objects, after a 30% discount/)
  await table(page, 'Costs').getByRole('button', { name: 'User or object' }).click()
  await expect.poll(() => search(page)).toBe('?tab=costs&sort=name')
  const names = () => table(page, 'Costs').locator('.data-link').allInnerTexts()
  // other tests add to this account, so its first and last object vary
  await expect.poll(async () => (await names()).length).toBeGreaterThan(2)
  const [first = ''] = await names()
  await table(page, 'Costs').getByRole('button', { name: 'User or object' }).click()
  await expect.poll(() => search(page)).toBe('?tab=costs&sort=name&order=desc')
  await expect.poll(async () => (await names())[0]).not.toBe(first)
  await page.getByLabel('Search costs').fill('jane')
  await expect.poll(names).toEqual(['jane@acme.test'])
  expect(await words(rows(page, 'Costs'))).toContain('Mailbox CHF 3.50')
  await page.getByRole('link', { name: 'jane@acme.test' }).click()
  await page.getByRole('heading', { level: 1, name: 'Jane' }).waitFor()
})

test('costs, their details and search use names', async () => {
  const page = await visitAs(owner, '/wallet?tab=costs')
  await rows(page, 'Costs').first().waitFor()
  const shown = await words(table(page, 'Costs'))
  expect(shown).not.toMatch(/(?:resource|shared-folder)-\d+@|No\. \d+/)
  const rooms = rows(page, 'Costs').filter({ hasText: 'Room' })
  expect(await rooms.first().locator('.data-link').innerText()).not.toMatch(/^\d+$/)
})

test('the forecast shows each of twelve months as numbers next to the chart', async () => {
  const page = await visitAs(owner, '/wallet?tab=forecast')
  const months = rows(page, 'Next 12 months')
  await expect.poll(() => months.count()).toBe(12)
  const { token, path } = await wallet()
  const { months: expected } = await send<{ months: { balance: number }[] }>(`${path}/forecast`, { token })
  const shown = await words(months.last())
  expect(shown).toContain(money(Math.abs(expected.at(-1)?.balance ?? 0)))
  expect(await months.last().getByRole('img', { name: 'Below zero' }).count()).toBe(1)
  const panel = main(page).getByRole('region', { name: 'Next 12 months' })
  expect(await panel.getByRole('img', { name: /^Balance from/ }).count()).toBe(1)
})

describe('alerts and ceiling', () => {
  test('are validated at their fields, saved, shown beside the balance, and removed again', async () => {
    const { email } = await createAccount()
    const page = await visitAs(email, '/wallet')
    await page.getByRole('link', { name: 'Set alerts and ceiling' }).click()
    const entry = page.getByLabel('Alert below (CHF): new entry')
    await entry.fill('much')
    await entry.press('Enter')
    await page.getByLabel('Maximum per month (CHF)').fill('1.2.3')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await page.getByText('Enter an amount, such as 20.00.').count()).toBe(2)
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('wallet-alerts-0')

    await page.getByLabel('Alert below (CHF), entry 1').fill('5,5')
    // input pending in the entry field is saved too
    await entry.fill('20')
    await page.getByLabel('Maximum per month (CHF)').fill('99')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Success').waitFor()
    const spending = main(page).getByRole('region', { name: 'Spending' })
    await expect.poll(() => words(spending)).toMatch(/Alerts below CHF 20\.00, CHF 5\.50/)
    expect(await words(spending)).toMatch(/Monthly ceiling CHF 99\.00 \d+% of the ceiling used/)

    await page.reload()
    await expect.poll(() => page.getByLabel('Alert below (CHF), entry 2').inputValue()).toBe('5.50')
    await page.getByRole('button', { name: 'Remove 5.50' }).click()
    await page.getByRole('tab', { name: 'Costs and forecast' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await page.getByRole('button', { name: 'Remove 20.00' }).click()
    await page.getByLabel('Maximum per month (CHF)').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => words(spending)).toMatch(/Alerts None Monthly ceiling None/)
  })
})

describe('the hash chain of entries', () => {
  test('is recomputed in the browser, and the result is stored for the next check', async () => {
    const page = await visitAs(owner, '/wallet?tab=verify')
    const verify = page.getByRole('button', { name: 'Verify now' })
    await verify.click()
    await page.getByText('All 5 entries are genuine.').waitFor()
    const { token, path, balance } = await wallet()
    expect(await words(main(page))).toContain(`Balance after last entry ${money(balance)}`)
    const lines = (await chainOf(path, token)).trim().split('\n')
    const { hash } = JSON.parse(lines.at(-1) ?? '{}') as { hash: string } // per docs/OPERATIONS.md
    await page.getByText(hash).waitFor()
    await verify.click()
    await page.getByText('The entries you verified earlier in this browser are unchanged.').waitFor()
  })

  test('fails verification if a line was changed in transit, and says what to do', async () => {
    const page = await visitAs(owner, '/wallet?tab=verify')
    await page.route('**/chain', async (route) => {
      const response = await route.fetch()
      const chain = await response.text()
      await route.fulfill({ response, body: chain.replace('"key":"', '"key":"x') })
    })
    await page.getByRole('button', { name: 'Verify now' }).click()
    await page.getByRole('alert').getByText('Verification failed at entry 1.').waitFor()
    await page.getByText('Write to support and mention entry 1.').waitFor()
    await expectNoFindings(page, 'refused chain')
  })

  test('is exported as a file', async () => {
    const page = await visitAs(owner, '/wallet?tab=verify')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download entries' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('chain.jsonl')
    const { token, path } = await wallet()
    expect(await text(await download.createReadStream())).toBe(await chainOf(path, token))
  })

  async function chainOf(path: string, token: string): Promise<string> {
    const response = await fetch(new URL(`${path}/chain`, portal.appUrl), {
      headers: { Authorization: `Bearer ${token}` },
    })
    return response.text()
  }
})

test('a new account shows an empty history with nothing to verify', async () => {
  const { email } = await createAccount()
  const page = await visitAs(email, '/wallet?tab=history')
  await page.getByRole('heading', { name: 'No transactions yet' }).waitFor()
  await balanceCard(page).getByText('Empty', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'More' }).click()
  await page.getByRole('tab', { name: 'Verify' }).click()
  await page.getByRole('button', { name: 'Verify now' }).click()
  await page.getByText('No entries to verify yet.').waitFor()
})

test('sections that fail to load show an error and can be retried', async () => {
  const page = await visitAs(owner, '/wallet?tab=forecast', { expectedErrors: ['net::ERR_FAILED'] })
  await rows(page, 'Next 12 months').first().waitFor()
  await page.route('**/forecast', (route) => route.abort())
  await page.reload()
  await page.getByRole('alert').first().waitFor({ timeout: 20_000 })
  await page.unroute('**/forecast')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await rows(page, 'Next 12 months').first().waitFor()
})

describe('in light and dark colours axe reports no violations', () => {
  test('on a phone', async () => {
    const page = await visitAs(owner, '/wallet', { viewport: phone })
    await balanceCard(page).getByRole('img').waitFor()
    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click()
    await page.locator('.data-detail li').first().waitFor()
    await expectNoFindingsInAnyColour(page, 'history')
    const others = [
      ['Receipts'],
      ['Costs and forecast', 'Costs', 'Forecast'],
      ['More', 'Alerts and ceiling', 'Referral programmes', 'Verify'],
    ]
    for (const [tab = '', ...parts] of others) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      for (const part of parts.length > 0 ? parts : [tab]) {
        await page.getByRole('tab', { name: part, exact: true }).click()
        const panel = page.getByRole('tabpanel', { name: part, exact: true })
        await panel.locator('table, form, button').first().waitFor()
        await expectNoFindingsInAnyColour(page, part)
      }
    }
  })
})
