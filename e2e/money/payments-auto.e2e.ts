import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount, createLockedAccount } from '../support/account.ts'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { atCheckout, decide } from '../support/sandbox.ts'

const { visitAs } = useVisitor()

/** Opens the wallet page of a user with their own account. */
async function visitor(options: VisitOptions = {}): Promise<Page> {
  const { email } = await createAccount()
  const page = await visitAs(email, '/wallet', options)
  await panel(page).waitFor()
  return page
}

const main = (page: Page) => page.locator('main')
const panel = (page: Page) => main(page).getByRole('region', { name: 'Auto-payment' })
const balanceCard = (page: Page) => main(page).getByRole('region', { name: 'Balance', exact: true })

/** The text with plain spaces, because number formats use different ones. */
const words = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/gu, ' ')

/** Fills in and submits the open dialog. */
async function send(page: Page, amount: string, threshold: string, button = 'Continue to payment') {
  await page.getByLabel('Top-up amount (CHF)').fill(amount)
  await page.getByLabel('When the balance falls below (CHF)').fill(threshold)
  await page.getByRole('button', { name: button }).click()
}

async function setUp(page: Page, amount: string, threshold: string): Promise<void> {
  await panel(page).getByRole('button', { name: 'Set up auto-payment' }).click()
  await send(page, amount, threshold)
}

async function cancel(page: Page): Promise<void> {
  await panel(page).getByRole('button', { name: 'Cancel auto-payment…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel auto-payment' }).click()
  await panel(page).getByText('Auto-payment tops up your balance').waitFor()
}

/** As worded in the specification. */
const setupFailed = 'The setup of automatic payments failed. Restart the process to enable automatic top-ups.'
const disabled =
  'The configured auto-payment has been disabled. Top up your wallet or raise the auto-payment amount.'

describe('auto-payment', () => {
  test('is set up, changed and cancelled', async () => {
    const page = await visitor()
    await setUp(page, '50', '0')
    await decide(page, 'Pay', /4242/)
    await panel(page).getByText('On', { exact: true }).waitFor()
    expect(await words(panel(page))).toMatch(/Top-up amount CHF 50\.00 When below CHF 0\.00 Method .*4242/)

    await panel(page).getByRole('button', { name: 'Change' }).click()
    await send(page, '60,5', '0', 'Save')
    await expect.poll(() => words(panel(page)), { timeout: 10_000 }).toContain('Top-up amount CHF 60.50')
    expect(await page.getByRole('dialog').count()).toBe(0)

    await panel(page).getByRole('button', { name: 'Cancel auto-payment…' }).click()
    const question = page.getByRole('dialog', { name: /^Cancel auto-payment by .*4242\?$/ })
    await question.getByRole('button', { name: 'Keep' }).click()
    await cancel(page)
    await page.reload()
    await panel(page).getByText('Auto-payment tops up your balance').waitFor()
  })

  test('tops up the wallet when the balance falls below the threshold', async () => {
    const page = await visitor()
    await setUp(page, '50', '10')
    await atCheckout(page)
    await decide(page, 'Pay', /4242/)
    await expect.poll(() => words(balanceCard(page)), { timeout: 20_000 }).toContain('CHF 50.00')
    await panel(page).getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('When the balance falls below (CHF)').fill('80')
    await page.getByText(/is charged immediately when you save/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => words(balanceCard(page)), { timeout: 20_000 }).toContain('CHF 100.00')
  })

  test('reports a set-up that failed, and can be tried again', async () => {
    const page = await visitor()
    await setUp(page, '50', '0')
    await decide(page, 'Fail payment')
    await main(page).getByText('The payment failed.').waitFor()
    await expectNoFindings(page, 'failed set-up')
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await send(page, '50', '0')
    await decide(page, 'Pay', /4242/)
    await panel(page).getByText('On', { exact: true }).waitFor()
  })

  test('says in the wallet that a set-up failed', async () => {
    const page = await visitor()
    await setUp(page, '50', '0')
    await decide(page, 'Fail payment')
    await main(page).getByText('The payment failed.').waitFor()
    await page.goto('/wallet')
    await panel(page).getByText(setupFailed, { exact: true }).waitFor()
  })

  test('can be changed and cancelled while it is being set up', async () => {
    const page = await visitor()
    await setUp(page, '50', '0')
    await decide(page, 'Leave pending')
    await panel(page).getByText('In progress').waitFor()
    await expectNoFindings(page, 'pending set-up')
    await panel(page).getByRole('button', { name: 'Change' }).click()
    await send(page, '70', '0', 'Save')
    await expect.poll(() => words(panel(page)), { timeout: 10_000 }).toContain('Top-up amount CHF 70.00')
    await panel(page).getByRole('button', { name: 'Open the payment page again' }).click()
    await atCheckout(page)
    await page.goBack()
    await panel(page).getByText('In progress').waitFor()
    await cancel(page)
  })

  test('is disabled when the card is declined, and enabled again with another card', async () => {
    const page = await visitor()
    await setUp(page, '50', '0')
    await decide(page, 'Pay', /0341/)
    await panel(page).getByText('On', { exact: true }).waitFor()
    await panel(page).getByRole('button', { name: 'Change' }).click()
    await send(page, '50', '10', 'Save')
    await panel(page).getByText('Disabled', { exact: true }).waitFor({ timeout: 20_000 })
    await panel(page).getByRole('alert').getByText(disabled, { exact: true }).waitFor()
    await expectNoFindings(page, 'disabled auto-payment')
    await cancel(page)
    await setUp(page, '50', '10')
    await decide(page, 'Pay', /4242/)
    await panel(page).getByText('On', { exact: true }).waitFor()
    await expect.poll(() => words(balanceCard(page)), { timeout: 20_000 }).toContain('CHF 50.00')
  })

  test('requires an amount that covers the cost of the account', async () => {
    const page = await visitor()
    await setUp(page, '0.50', 'much')
    await page.getByText(/^Enter at least CHF/).waitFor()
    await page.getByText('Enter an amount, such as 20.00.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('mandate_amount')
    await expectNoFindings(page, 'refused set-up')
  })
})

describe('a locked account', () => {
  async function locked(options: VisitOptions = {}): Promise<Page> {
    const { email } = await createLockedAccount()
    const page = await visitAs(email, '/dashboard', options)
    await page.waitForURL(/\/payment\/status$/)
    await main(page).getByText('Your account is locked.').waitFor()
    return page
  }

  /** The page continues automatically; if the account is already open, it shows a link instead. */
  async function reachDashboard(page: Page): Promise<void> {
    const link = main(page).getByRole('link', { name: 'Go to dashboard' })
    const path = async () => {
      if (await link.isVisible()) await link.click()
      return new URL(page.url()).pathname
    }
    await expect.poll(path, { timeout: 30_000 }).toBe('/dashboard')
  }

  test('is unlocked automatically once it is paid', async () => {
    const page = await locked()
    await main(page).getByText('The payment is being processed').waitFor()
    await main(page).getByRole('button', { name: 'Open the payment page again' }).click()
    await decide(page, 'Pay', /4242/)
    await page.waitForURL(/\/payment\/status$/)
    await reachDashboard(page)
    await page.goto('/wallet')
    await panel(page).getByText('On', { exact: true }).waitFor()
  })

  test('can retry a failed payment', async () => {
    const page = await locked()
    await main(page).getByRole('button', { name: 'Open the payment page again' }).click()
    await decide(page, 'Fail payment')
    await main(page).getByText('The payment failed.').waitFor()
    await expectNoFindings(page, 'failed first payment')
    await page.goto('/users')
    await page.waitForURL(/\/payment\/status$/)
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await decide(page, 'Pay', /4242/)
    await reachDashboard(page)
  })

  test('works after the back button', async () => {
    const page = await locked()
    await main(page).getByRole('button', { name: 'Open the payment page again' }).click()
    await atCheckout(page)
    await page.goBack()
    await main(page).getByRole('button', { name: 'Open the payment page again' }).click()
    await atCheckout(page)
  })

  test('recovers when the server is temporarily down', async () => {
    const page = await locked({ expectedErrors: ['net::ERR_FAILED'] })
    await main(page).getByText('The payment is being processed').waitFor()
    await page.route('**/api/v4/payments/status', (route) => route.abort())
    await main(page).getByText('We can’t reach the server.').waitFor({ timeout: 15_000 })
    await expectNoFindings(page, 'unreachable server')
    await page.unroute('**/api/v4/payments/status')
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await main(page).getByText('We can’t reach the server.').waitFor({ state: 'detached' })
    await main(page).getByText('The payment is being processed').waitFor()
  })
})

test('that never paid shows that there is nothing to do', async () => {
  const { email } = await createAccount()
  const page = await visitAs(email, '/payment/status')
  await main(page).getByText('No payment due').waitFor()
  await expectNoFindings(page, 'no payment')
})

describe('in light and dark colours axe reports no violations', () => {
  test.each([
    ['wide', desktop],
    ['narrow', phone],
  ] as const)('on a %s screen', async (_, viewport) => {
    const page = await visitor({ viewport })
    await panel(page).getByRole('button', { name: 'Set up auto-payment' }).click()
    await page.getByLabel('When the balance falls below (CHF)').fill('20')
    await page.getByText(/is charged during setup/).waitFor()
    await expectNoFindingsInAnyColour(page, 'set-up')
    await page.keyboard.press('Escape')
    await setUp(page, '50', '0')
    await decide(page, 'Pay', /4242/)
    await panel(page).getByText('On', { exact: true }).waitFor()
    await expectNoFindingsInAnyColour(page, 'on')
    await panel(page).getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Top-up amount (CHF)').waitFor()
    await expectNoFindingsInAnyColour(page, 'change')
    await page.keyboard.press('Escape')
    await panel(page).getByRole('button', { name: 'Cancel auto-payment…' }).click()
    await expectNoFindingsInAnyColour(page, 'cancel')
  })
})
