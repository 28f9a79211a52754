import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { atCheckout, decide } from '../support/sandbox.ts'
import { passwordOf } from '../support/sign-in.ts'
import { send } from '../support/users.ts'

const { visitAs } = useVisitor()

/** Opens the wallet page of a user with their own account. */
async function visitor(options: VisitOptions = {}) {
  const { email } = await createAccount()
  const page = await visitAs(email, '/wallet', options)
  await balanceCard(page).waitFor()
  return { page, email }
}

const main = (page: Page) => page.locator('main')
const balanceCard = (page: Page) => main(page).getByRole('region', { name: 'Balance', exact: true })
const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

const soon = { timeout: 15_000 }

/** The text with plain spaces, because number formats use different ones. */
const words = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/gu, ' ')

/** Opens the dialog and fills in an amount. Without `method` the first one stays chosen. */
async function fill(page: Page, amount: string, method?: string): Promise<void> {
  await main(page).getByRole('button', { name: 'Top up' }).click()
  if (method !== undefined) {
    await dialog(page, 'Top up').getByRole('button', { name: 'Change' }).click()
    await page.getByRole('radio', { name: new RegExp(`^${method}`) }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await page.getByLabel('Amount (CHF)').fill(amount)
}

async function begin(page: Page, amount: string, method?: string): Promise<void> {
  await fill(page, amount, method)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
}

/** Pending payments of an account, from the API. */
async function pendingOf(email: string): Promise<{ id: string; checkoutUrl: string | null }[]> {
  const body = { email, password: passwordOf(email) }
  const { access_token: token } = await send<{ access_token: string }>('/api/auth/login', { body })
  const { list } = await send<{ list: { id: string; checkoutUrl: string | null }[] }>(
    '/api/v4/payments/pending',
    { token },
  )
  return list
}

describe('a payer', () => {
  test.each(['Credit card', 'PayPal'])(
    'by %s comes back to a balance that has it, everywhere',
    async (method) => {
      const { page } = await visitor()
      await begin(page, '20', method)
      await decide(page, 'Pay')
      await toast(page, /Your payment has arrived/).waitFor()
      await expect.poll(() => words(balanceCard(page)), soon).toContain('CHF 20.00')
      await page.getByRole('tab', { name: 'History' }).click()
      await expect
        .poll(() => words(main(page).getByRole('table', { name: 'History' })))
        .toContain('+ CHF 20.00')
      await page.getByRole('link', { name: 'Overview' }).click()
      await expect
        .poll(() => words(main(page).getByRole('listitem').filter({ hasText: 'Wallet' }).first()))
        .toContain('CHF 20.00')
    },
  )

  test('sees the amount in another currency before paying', async () => {
    const { page } = await visitor()
    await fill(page, '20,50', 'Bank transfer')
    const box = dialog(page, 'Top up')
    await expect.poll(() => words(box)).toMatch(/You pay about €\d+\.\d\d Balance afterwards CHF 20\.50/)
    expect(await words(box)).toContain('Transfers can take several days')
    const about = /about €([\d.]+)/.exec(await words(box))?.[1] ?? 'none'
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await atCheckout(page)
    expect(await page.locator('main').innerText()).toContain(about)
  })

  test('keeps the page when paying in a separate window, and the page shows the result', async () => {
    const { page } = await visitor()
    await fill(page, '20', 'Bitcoin')
    const [beside] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Continue to payment' }).click(),
    ])
    await dialog(page, 'Pay in the other window').waitFor()
    await atCheckout(beside)
    expect(await beside.evaluate(() => window.opener)).toBeNull()
    await beside.getByRole('button', { name: 'Pay', exact: true }).click()
    await toast(page, /Your payment has arrived/).waitFor()
    await dialog(page, 'Pay in the other window').waitFor({ state: 'detached' })
    await expect.poll(() => words(balanceCard(page)), soon).toContain('CHF 20.00')
  })

  test('gets a link if the browser blocks the window', async () => {
    const { page } = await visitor()
    await page.evaluate(() => {
      window.open = () => null
    })
    await begin(page, '20', 'Bitcoin')
    await page.getByText('Your browser blocked the payment window.').waitFor()
    await expectNoFindings(page, 'window that was not opened')
    const [beside] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open payment page' }).click(),
    ])
    await atCheckout(beside)
  })
})

describe('a payment that fails', () => {
  test.each([
    ['Fail payment', 'The payment failed.'],
    ['Cancel', 'The payment has been cancelled.'],
    ['Expire payment', 'The payment has expired.'],
  ] as const)('(%s) says so and can be tried again', async (decision, said) => {
    const { page } = await visitor()
    await begin(page, '20')
    await decide(page, decision)
    await main(page).getByText(said).waitFor()
    expect(await words(balanceCard(page))).toContain('CHF 0.00')
    await expectNoFindings(page, decision)
    await page.getByRole('button', { name: 'Try again' }).click()
    await dialog(page, 'Top up').waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await balanceCard(page).waitFor()
    expect(await main(page).getByText(said).count()).toBe(0)
  })

  test('before it starts keeps the dialog and its input', async () => {
    const { page } = await visitor({ expectedErrors: ['503'] })
    await page.route('**/api/v4/payments', (route) =>
      route.fulfill({
        status: 503,
        json: { status: 'error', message: 'Payments aren’t available right now.' },
      }),
    )
    await begin(page, '20')
    await toast(page, 'Payments aren’t available right now.').waitFor()
    expect(await page.getByLabel('Amount (CHF)').inputValue()).toBe('20')
    await page.unroute('**/api/v4/payments')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await decide(page, 'Pay')
    await expect.poll(() => words(balanceCard(page)), soon).toContain('CHF 20.00')
  })

  test('because of its amount shows an error at the field', async () => {
    const { page } = await visitor()
    await fill(page, '0.50')
    await page.getByText('At least CHF 1.00.').waitFor()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('Enter at least CHF').waitFor()
    await page.getByLabel('Amount (CHF)').fill('999999')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('The amount can’t be more than').waitFor()
    expect(await page.getByLabel('Amount (CHF)').getAttribute('aria-invalid')).toBe('true')
    await expectNoFindings(page, 'refused amount')
  })
})

describe('a slow payment', () => {
  test('is pending until it arrives, and the page updates automatically', async () => {
    const { page, email } = await visitor()
    await begin(page, '20', 'Bank transfer')
    await decide(page, 'Leave pending')
    await main(page).getByText('The payment is being processed').waitFor()
    const [payment] = await pendingOf(email)
    const other = await page.context().newPage()
    await other.goto(payment?.checkoutUrl ?? 'the payment has a page')
    await decide(other, 'Pay')
    await page.bringToFront()
    await toast(page, /Your payment has arrived/).waitFor({ timeout: 15_000 })
    await expect.poll(() => words(balanceCard(page)), soon).toContain('CHF 20.00')
  })

  test('is listed and can be cancelled there', async () => {
    const { page, email } = await visitor()
    await begin(page, '20', 'Bank transfer')
    await decide(page, 'Leave pending')
    await main(page).getByText('The payment is being processed').waitFor()
    await begin(page, '30')
    await atCheckout(page)
    await page.goto('/wallet')
    await page.getByRole('tab', { name: 'More' }).click()
    const tab = page.getByRole('tab', { name: /^Pending payments/ })
    await tab.click()
    expect(await words(tab)).toBe('Pending payments 2')
    const rows = main(page).getByRole('table', { name: 'Pending payments' }).locator('tbody tr')
    expect(await words(rows.first())).toMatch(/Continue to payment.* CHF 30\.00 Cancel/)
    await expectNoFindings(page, 'pending payments')

    await rows
      .last()
      .getByRole('button', { name: /^Cancel payment of CHF\s20\.00/ })
      .click()
    const question = dialog(page, /^Cancel the payment of CHF\s20\.00\?$/)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Keep')
    await expectNoFindings(page, 'cancelling a payment')
    await question.getByRole('button', { name: 'Cancel payment' }).click()
    await toast(page, 'The payment was cancelled.').waitFor()
    await expect.poll(() => words(tab)).toBe('Pending payments 1')
    await rows
      .first()
      .getByRole('button', { name: /^Cancel payment/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click()
    await tab.waitFor({ state: 'detached' })
    expect(await pendingOf(email)).toEqual([])
  })

  test('can be continued after the back button', async () => {
    const { page, email } = await visitor()
    await begin(page, '20')
    await atCheckout(page)
    await page.goBack()
    await balanceCard(page).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await main(page).getByText('The payment is being processed').waitFor()
    await main(page)
      .getByRole('link', { name: /^Continue to payment of CHF\s20\.00/ })
      .first()
      .click()
    await decide(page, 'Pay')
    await expect.poll(() => words(balanceCard(page)), soon).toContain('CHF 20.00')
    expect(await pendingOf(email)).toEqual([])
  })
})

describe('a payment is credited once', () => {
  test('when the button is pressed twice', async () => {
    const { page, email } = await visitor()
    await fill(page, '20')
    await page.getByRole('button', { name: 'Continue to payment' }).dblclick()
    await atCheckout(page)
    expect(await pendingOf(email)).toHaveLength(1)
  })

  test('when the same payment is finished in two tabs', async () => {
    const { page } = await visitor()
    await begin(page, '20')
    await atCheckout(page)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await decide(page, 'Pay')
    await other.getByRole('button', { name: 'Pay', exact: true }).click()
    await other.getByText('The payment succeeded.').waitFor()
    await other.getByRole('link', { name: 'Back to the portal' }).click()
    await expect.poll(() => words(balanceCard(other)), soon).toContain('CHF 20.00')
    await expect.poll(() => words(balanceCard(page)), soon).toContain('CHF 20.00')
  })
})

test('the banner of an overdue account leads to paying the amount due', async () => {
  const page = await visitAs('degraded@example.test', '/dashboard')
  await page.getByRole('link', { name: 'Top up wallet' }).click()
  await dialog(page, 'Top up').waitFor()
  await dialog(page, 'Top up').getByText('Credit card').waitFor()
  const amount = page.getByLabel('Amount (CHF)')
  await expect.poll(() => amount.inputValue()).toMatch(/^\d+\.\d\d$/)
  expect(await words(page.getByRole('button', { name: /^Amount owed/ }))).toContain(await amount.inputValue())
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).search).toBe('')
})

test('payments are translated to German', async () => {
  const { page } = await visitor()
  await page.getByRole('button', { name: /: English$/ }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await main(page).getByRole('button', { name: 'Guthaben aufladen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Ändern' }).click()
  await page.getByRole('radio', { name: /^Überweisung/ }).check()
  await page.getByRole('button', { name: 'Weiter' }).click()
  await page.getByLabel('Betrag (CHF)').fill('20,50')
  await expect.poll(() => words(page.getByRole('dialog'))).toContain('Guthaben danach 20,50 CHF')
})

describe('in light and dark colours axe reports no violations', () => {
  test.each([
    ['wide', desktop],
    ['narrow', phone],
  ] as const)('on a %s screen', async (_, viewport) => {
    const { page } = await visitor({ viewport })
    await main(page).getByRole('button', { name: 'Top up' }).click()
    await dialog(page, 'Top up').getByRole('button', { name: 'Change' }).click()
    await page.getByRole('radio', { name: /^Bank transfer/ }).check()
    await expectNoFindingsInAnyColour(page, 'methods')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Amount (CHF)').fill('20')
    // until then the previous amounts are dimmed
    await expect
      .poll(() => words(dialog(page, 'Top up')))
      .toMatch(/You pay about €\d+\.\d\d Balance afterwards CHF 20\.00/)
    await expectNoFindingsInAnyColour(page, 'amount')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await decide(page, 'Leave pending')
    await main(page).getByText('The payment is being processed').waitFor()
    await page.getByRole('tab', { name: 'More' }).click()
    await page.getByRole('tab', { name: /^Pending payments/ }).click()
    await main(page).getByRole('table', { name: 'Pending payments' }).waitFor()
    await expectNoFindingsInAnyColour(page, 'pending')
  })
})
