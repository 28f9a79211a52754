import type { Page } from 'playwright-core'

/** Password of every demo login. */
export const demoPassword = 'simple123'

/** A password that meets every rule, for accounts that a test creates. */
export const strongPassword = 'tulip-anchor-42'

const demoLogins =
  /^(?:(?:owner|jane|ned)@acme|clara@bistro|(?:solo|degraded|admin)@example|[^@]+@partner)\.test$/

/** The password of a demo login, or of an account that a test created. */
export function passwordOf(email: string): string {
  return demoLogins.test(email) ? demoPassword : strongPassword
}

/** Fills in and submits the sign-in form on the screen. */
export async function sendLogin(page: Page, email: string, password = passwordOf(email)): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.locator('main').getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs in on the English form and waits for the next screen. */
export async function signIn(page: Page, email: string, password = passwordOf(email)): Promise<void> {
  await sendLogin(page, email, password)
  await page.getByRole('link', { name: 'Sign out' }).first().waitFor({ state: 'attached' })
  await page.waitForURL((url) => !url.pathname.endsWith('/login'))
  // the URL changes before the screen, which takes the focus when it mounts
  await page.locator('input[autocomplete="current-password"]').waitFor({ state: 'detached' })
}

/** URL of another front end on the running server. */
export function variantUrl(appUrl: string, variant: 'admin' | 'reseller', path: string): string {
  const url = new URL(path, appUrl)
  url.hostname = `${variant}.localhost`
  return url.href
}
