import { randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { codeIn, mailTo } from './mail.ts'
import { strongPassword } from './sign-in.ts'

/** A unique word for logins, addresses and domains. */
export function uniqueWord(start = 'x'): string {
  return `${start}${randomBytes(5).toString('hex')}`
}

/** Labels of the sign-up form in one language. */
export interface SignupWords {
  plan: string
  firstName: string
  email: string
  continue: string
  code: string
  login: string
  password: string
  again: string
  submit: string
}

export const english: SignupWords = {
  plan: 'Start with Individual',
  firstName: 'First name',
  email: 'E-mail address',
  continue: 'Continue',
  code: 'Confirmation code',
  login: 'Username',
  password: 'Password',
  again: 'Confirm password',
  submit: 'Create account',
}

export const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

export const field = (page: Page, label: string) =>
  page.getByLabel(label, { exact: label === 'Password' || label === 'Domain' })

export const button = (page: Page, name: string) =>
  page.locator('main').getByRole('button', { name, exact: true })

/** Goes from the identity step to the code step. */
export async function sendIdentity(page: Page, email: string, words = english): Promise<void> {
  await field(page, words.firstName).fill('Jo')
  await page.getByLabel(words.email).fill(email)
  await button(page, words.continue).click()
  await page.getByLabel(words.code).waitFor()
}

/** Goes from the code step to the account step. */
export async function sendCode(page: Page, email: string, words = english): Promise<void> {
  await page.getByLabel(words.code).fill(codeIn(await mailTo(email)))
  await button(page, words.continue).click()
  await page.getByLabel(words.login).waitFor()
}

/** Fills in the account step without submitting it. */
export async function fillAccount(
  page: Page,
  login: string,
  words = english,
  password = strongPassword,
): Promise<void> {
  await page.getByLabel(words.login).fill(login)
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await page.getByLabel(words.again).fill(password)
}

/** Goes from a plan's URL to the account step, with a fresh e-mail address unless one is given. */
export async function reachAccount(page: Page, email = `${uniqueWord()}@elsewhere.test`): Promise<void> {
  await sendIdentity(page, email)
  await sendCode(page, email)
}

export async function expectFocus(control: Locator): Promise<void> {
  await expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)
}

/** Expects the field to be marked as invalid, focused, and described by this message. */
export async function expectFieldError(control: Locator, text: string): Promise<void> {
  await expect.poll(() => control.getAttribute('aria-invalid'), { message: text }).toBe('true')
  await expectFocus(control)
  const described = await control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' '),
  )
  expect(described).toContain(text)
}

/** Expects the dashboard of a newly created account. */
export async function expectDashboard(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/dashboard')
  await page.getByRole('link', { name: 'Sign out' }).first().waitFor({ state: 'attached' })
}
