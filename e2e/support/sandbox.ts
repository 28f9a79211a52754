import type { Page } from 'playwright-core'

/** Buttons on the sandbox page. */
export type Decision = 'Pay' | 'Leave pending' | 'Fail payment' | 'Expire payment' | 'Cancel'

/** Waits for the sandbox page where a payment is decided. */
export async function atCheckout(page: Page): Promise<void> {
  await page.waitForURL(/\/sandbox\/pay\//)
  await page.getByRole('heading', { level: 1, name: /sandbox/i }).waitFor()
}

/** Decides the payment on that page, which redirects to the portal. */
export async function decide(page: Page, decision: Decision, card?: RegExp): Promise<void> {
  await atCheckout(page)
  if (card) await page.getByRole('radio', { name: card }).check()
  await page.getByRole('button', { name: decision, exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sandbox/'))
}
