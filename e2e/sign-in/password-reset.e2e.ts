import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { codeIn, linkIn, mailTo } from '../support/mail.ts'
import { sendLogin, signIn } from '../support/sign-in.ts'
import {
  button,
  expectDashboard,
  expectFieldError,
  expectFocus,
  field,
  title,
  uniqueWord,
} from '../support/signup.ts'

const { visit } = useVisitor()

const newPassword = 'other-word-9'

const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const codeField = (page: Page) => page.getByLabel('Confirmation code')
const passwordStep = (page: Page) => title(page, 'Set a new password')

async function askForCode(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await button(page, 'Continue').click()
  await codeField(page).waitFor()
}

/** The reset mail; the sign-up mail went to the same address. */
async function resetMail({ external }: Account) {
  const isReset = async () => (await mailTo(external)).text.includes('/password-reset/')
  await expect.poll(isReset, { timeout: 10_000 }).toBe(true)
  return mailTo(external)
}

async function setPassword(page: Page, password: string, again = password): Promise<void> {
  await field(page, 'Password').fill(password)
  await page.getByLabel('Confirm password').fill(again)
  await button(page, 'Set password').click()
}

describe('a password reset', () => {
  test('with a code signs the user in and invalidates the old password', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await title(page, 'Reset your password').waitFor()
    await expectFocus(page.getByLabel('E-mail address'))
    await page.getByText(/^The e-mail comes from .+@.+\.$/).waitFor()
    await askForCode(page, account.email)
    await page.getByText(`If ${account.email} belongs to an account, we’ve sent a code`).waitFor()
    await codeField(page).fill(codeIn(await resetMail(account)).toLowerCase())
    await button(page, 'Continue').click()
    await passwordStep(page).waitFor()
    await page.getByText('At least 6 characters').waitFor()
    await setPassword(page, newPassword)
    await expectDashboard(page)

    const later = await visit('/login')
    await sendLogin(later, account.email, account.password)
    await expect.poll(() => field(later, 'Password').getAttribute('aria-invalid')).toBe('true')
    await signIn(later, account.email, newPassword)
  })

  test('with a link works once', async () => {
    const account = await createAccount()
    const asking = await visit('/password-reset')
    await askForCode(asking, account.email)
    const link = linkIn(await resetMail(account), '/password-reset/')
    const page = await visit(link)
    await passwordStep(page).waitFor()
    await expectFocus(field(page, 'Password'))
    await setPassword(page, newPassword)
    await expectDashboard(page)

    const again = await visit(link)
    await title(again, 'Not found').waitFor()
    await again.getByText('The password reset code is expired or invalid.').waitFor()
  })

  test('with a link whose code was used meanwhile goes back to the first step', async () => {
    const account = await createAccount()
    const page = await visit('/password-reset')
    await askForCode(page, account.email)
    const link = linkIn(await resetMail(account), '/password-reset/')
    const other = await visit(link)
    await passwordStep(other).waitFor()
    await page.goto(link)
    await passwordStep(page).waitFor()
    await setPassword(page, newPassword)
    await expectDashboard(page)
    await setPassword(other, 'a-third-word-3')
    await title(other, 'Reset your password').waitFor()
    await toasts(other).getByText('This code is wrong or has expired.').waitFor()
  })
})

describe('a page reload', () => {
  test('keeps the current step', async () => {
    const account = await createAccount()
    const page = await visit('/password-reset')
    await askForCode(page, account.email)
    await page.reload()
    await page.getByText(`If ${account.email} belongs to an account, we’ve sent a code`).waitFor()
    await codeField(page).fill(codeIn(await resetMail(account)))
    await button(page, 'Continue').click()
    await passwordStep(page).waitFor()
    await field(page, 'Password').fill(newPassword)
    await page.reload()
    await passwordStep(page).waitFor()
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(newPassword)
    await setPassword(page, newPassword)
    await expectDashboard(page)
    const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('draft'))
    expect(await page.evaluate(drafts)).toEqual([])
  })
})

test('owners are not told to ask their owner', async () => {
  const page = await visit('/password-reset')
  await page
    .getByRole('complementary', { name: 'Good to know' })
    .getByText('If the account is yours')
    .waitFor()
  await page.getByRole('link', { name: 'contact support' }).click()
  await page.getByRole('dialog').getByLabel('Subject').waitFor()
})

describe('errors and navigation', () => {
  test('each error is shown at its field', async () => {
    const account = await createAccount()
    const page = await visit('/password-reset')
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('E-mail address'), 'Fill in this field.')
    await page.getByLabel('E-mail address').fill('nonsense')
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('E-mail address'), 'Check the format')
    await askForCode(page, account.email)
    await codeField(page).fill('wrong')
    await button(page, 'Continue').click()
    await expectFieldError(codeField(page), 'This code is wrong or has expired.')
    await codeField(page).fill(codeIn(await resetMail(account)))
    await button(page, 'Continue').click()
    await passwordStep(page).waitFor()
    await setPassword(page, newPassword, 'other-word-8')
    await expectFieldError(field(page, 'Confirm password'), 'The two entries don’t match.')
    await setPassword(page, 'short')
    await expectFieldError(field(page, 'Password'), 'This password doesn’t meet all the rules.')
  })

  test('a second-factor error is shown at its field', async () => {
    const account = await createAccount()
    const page = await visit('/password-reset')
    await askForCode(page, account.email)
    await page.route('**/api/auth/password-reset', (route) => {
      const errors = { secondfactor: ['Please enter the code.'] }
      return route.fulfill({ status: 422, json: { status: 'error', message: 'Invalid', errors } })
    })
    await codeField(page).fill(codeIn(await resetMail(account)))
    await button(page, 'Continue').click()
    await setPassword(page, newPassword)
    await expectFieldError(page.getByLabel('Two-step verification'), 'Please enter the code.')
  })

  test('an address without an account gets the same response', async () => {
    const page = await visit('/password-reset')
    const nobody = `${uniqueWord()}@example.test`
    await askForCode(page, nobody)
    await page.getByText(`If ${nobody} belongs to an account, we’ve sent a code`).waitFor()
  })

  test('back clears the step and requests a code again', async () => {
    const account = await createAccount()
    const page = await visit('/password-reset')
    await askForCode(page, account.email)
    await codeField(page).fill(codeIn(await resetMail(account)))
    await button(page, 'Continue').click()
    await field(page, 'Password').fill(newPassword)
    await button(page, 'Back').click()
    await expectFocus(codeField(page))
    await page.goForward()
    await codeField(page).waitFor()
    expect(await passwordStep(page).count()).toBe(0)
    await button(page, 'Continue').click()
    await passwordStep(page).waitFor()
    expect(await field(page, 'Password').inputValue()).toBe('')
    await page.goBack()
    await codeField(page).waitFor()
    await page.goBack()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(account.email)
  })

  test.each(['/password-reset/nonsense', '/password-reset/AB23-', '/password-reset/ab23-code'])(
    '%s is not found',
    async (malformed) => {
      const page = await visit(malformed)
      await title(page, 'Not found').waitFor()
    },
  )

  test('a well-formed but invalid link is not found', async () => {
    const page = await visit('/password-reset/AB23CD45-doesNotExist')
    await page.getByText('The password reset code is expired or invalid.').waitFor()
    expect(await toasts(page).getByText('Error').count()).toBe(0)
  })
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s, in light and dark colours', (_, viewport) => {
  test('axe reports no violations on any step', async () => {
    const account = await createAccount()
    const page = await visit('/password-reset', { viewport })
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('E-mail address'), 'Fill in this field.')
    await expectNoFindingsInAnyColour(page, 'address')
    await askForCode(page, account.email)
    await expectNoFindingsInAnyColour(page, 'code')
    await codeField(page).fill(codeIn(await resetMail(account)))
    await button(page, 'Continue').click()
    await page.getByText('At least 6 characters').waitFor()
    await setPassword(page, 'short')
    await expectFieldError(field(page, 'Password'), 'This password doesn’t meet all the rules.')
    await expectNoFindingsInAnyColour(page, 'new password')
    await page.goto('/password-reset/nonsense')
    await title(page, 'Not found').waitFor()
    await expectNoFindingsInAnyColour(page, 'malformed link')
  })
})

test.each([
  ['de-CH', 'E-Mail-Adresse', 'Weiter', 'Bestätigungscode', 'Neues Passwort festlegen'],
  ['fr-CH', 'Adresse e-mail', 'Continuer', 'Code de confirmation', 'Choisissez un nouveau mot de passe'],
])('in the language of %s', async (locale, email, next, code, heading) => {
  const account = await createAccount()
  const page = await visit('/password-reset', { locale })
  await page.getByLabel(email).fill(account.email)
  await button(page, next).click()
  await page.getByLabel(code).fill(codeIn(await resetMail(account)))
  await button(page, next).click()
  await title(page, heading).waitFor()
})
