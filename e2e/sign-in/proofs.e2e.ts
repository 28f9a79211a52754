import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { useVisitor } from '../support/browser.ts'
import {
  act,
  addAppOnScreen,
  ageProofs,
  codeField,
  dialog,
  enrolApp,
  keepCodes,
  listed,
  logOut,
  openSecurity,
  panel,
  signInWithCode,
  withDevice,
} from '../support/factors.ts'
import { linkIn, mailTo } from '../support/mail.ts'
import { signIn } from '../support/sign-in.ts'
import { button, expectDashboard, expectFocus, field, title } from '../support/signup.ts'

const { visit } = useVisitor()

const question = 'Confirm it’s you'
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })

describe('a sensitive action eleven minutes after the sign-in', () => {
  test('asks users without a second factor for their password, and then continues automatically', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    await ageProofs(account.email)
    await act(panel(page, 'Authenticator apps'), 'Add app')
    const box = dialog(page, question)
    const entry = box.getByLabel('Your password')
    await expectFocus(entry)
    await entry.fill('not this one')
    await act(box, 'Confirm')
    await expect.poll(() => entry.getAttribute('aria-invalid')).toBe('true')
    await entry.fill(account.password)
    await act(box, 'Confirm')
    await addAppOnScreen(page)
    await keepCodes(page)
    await expect.poll(() => listed(page, 'Authenticator apps').count()).toBe(1)
  })

  test('asks in front of an open dialog, which stays open afterwards', async () => {
    const account = await createAccount()
    const { app } = await enrolApp(account, 'Phone')
    const page = await visit('/login')
    await signInWithCode(page, account, app.next())
    await openSecurity(page)
    await ageProofs(account.email)
    await page.getByRole('button', { name: 'Rename Phone' }).click()
    const renaming = dialog(page, 'Rename “Phone”')
    await renaming.getByLabel('Name').fill('Old phone')
    await act(renaming, 'Save')
    await dialog(page, question).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, question).waitFor({ state: 'detached' })
    await toasts(page).getByText('Nothing was changed because you didn’t confirm it’s you.').waitFor()
    await expectFocus(renaming.getByRole('button', { name: 'Save' }))
    expect(await renaming.getByLabel('Name').inputValue()).toBe('Old phone')

    await act(renaming, 'Save')
    await expectFocus(codeField(page))
    await codeField(page).fill(app.next())
    await page.keyboard.press('Enter')
    await renaming.waitFor({ state: 'detached' })
    await expect.poll(() => listed(page, 'Authenticator apps').innerText()).toContain('Old phone')
    // valid for ten minutes, so there is no second prompt
    await page.getByRole('button', { name: 'Rename Old phone' }).click()
    await dialog(page).getByLabel('Name').fill('Phone')
    await act(dialog(page), 'Save')
    await expect.poll(() => listed(page, 'Authenticator apps').innerText()).not.toContain('Old')
    expect(await dialog(page).count()).toBe(0)
  })

  test('can be confirmed with a passkey', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    await withDevice(page)
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    await act(panel(page, 'Passkeys'), 'Add passkey')
    await act(dialog(page), 'Create passkey')
    await keepCodes(page)
    await ageProofs(account.email)
    await page.getByRole('button', { name: /^Remove / }).click()
    await act(dialog(page), 'Remove')
    await act(dialog(page, question), 'Use passkey')
    await expect.poll(() => dialog(page).count()).toBe(0)
    await expect.poll(() => listed(page, 'Passkeys').count()).toBe(0)
  })

  test('ends with the session: no prompt after a sign-out elsewhere', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    const other = await page.context().newPage()
    await other.goto('/dashboard')
    await expectDashboard(other)
    await ageProofs(account.email)
    await act(panel(page, 'Authenticator apps'), 'Add app')
    await dialog(page, question).waitFor()
    await logOut(other)
    await title(page, 'Sign in').waitFor()
    expect(await dialog(page).count()).toBe(0)
  })
})

describe('a password reset', () => {
  async function reachNewPassword(account: Account): Promise<Page> {
    const asking = await visit('/password-reset')
    await asking.getByLabel('E-mail address').fill(account.email)
    await button(asking, 'Continue').click()
    await asking.getByLabel('Confirmation code').waitFor()
    const isReset = async () => (await mailTo(account.external)).text.includes('/password-reset/')
    await expect.poll(isReset).toBe(true)
    const page = await visit(linkIn(await mailTo(account.external), '/password-reset/'))
    await title(page, 'Set a new password').waitFor()
    return page
  }

  async function setPassword(page: Page, password: string): Promise<void> {
    await field(page, 'Password').fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await button(page, 'Set password').click()
  }

  test('requires the second factor before it sets the new password', async () => {
    const account = await createAccount()
    const { app } = await enrolApp(account)
    const page = await reachNewPassword(account)
    await setPassword(page, 'other-word-9')
    await title(page, 'Two-step verification').waitFor()
    await expectFocus(codeField(page))
    await codeField(page).fill('000000')
    await button(page, 'Confirm').click()
    await expect.poll(() => codeField(page).getAttribute('aria-invalid')).toBe('true')
    await button(page, 'Back').click()
    await title(page, 'Set a new password').waitFor()
    expect(await field(page, 'Password').inputValue()).toBe('other-word-9')
    await button(page, 'Set password').click()
    await codeField(page).fill(app.next())
    await button(page, 'Confirm').click()
    await expectDashboard(page)
    await logOut(page)
    await signInWithCode(page, { ...account, password: 'other-word-9' }, app.next())
  })

  test('accepts the code together with the password', async () => {
    const account = await createAccount()
    const { recoveryCodes } = await enrolApp(account)
    const page = await reachNewPassword(account)
    await page.getByLabel('Two-step verification').fill(recoveryCodes[0] ?? '')
    await setPassword(page, 'other-word-9')
    await expectDashboard(page)
  })
})
