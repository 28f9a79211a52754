import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { AuthenticatorApp } from '../support/authenticator-app.ts'
import { useVisitor } from '../support/browser.ts'
import {
  act,
  codeField,
  dialog,
  enrolApp,
  keepCodes,
  listed,
  logOut,
  openSecurity,
  panel,
  reachSecondStep,
  recoveryCodes,
  signInWithCode,
  withDevice,
} from '../support/factors.ts'
import { retire } from '../support/profiles.ts'
import { sendLogin, signIn } from '../support/sign-in.ts'
import { button, expectDashboard, expectFieldError, expectFocus, title } from '../support/signup.ts'

const { visit } = useVisitor()

const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const summary = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })
const unprotected = 'Only your password protects this account'

async function nameOf(page: Page, kind: 'Authenticator apps' | 'Passkeys'): Promise<string> {
  return listed(page, kind).first().locator('b').innerText()
}

describe('an authenticator app', () => {
  test('is set up, required at sign-in, replaced once by a recovery code, and removed', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    await summary(page, unprotected).waitFor()
    await act(panel(page, 'Authenticator apps'), 'Add app')
    const box = dialog(page, 'Add an authenticator app')
    await box.getByRole('img', { name: /^QR code/ }).waitFor()
    const app = new AuthenticatorApp(await box.locator('code').innerText())
    await act(box, 'Continue')
    const field = box.getByLabel('Code from the app')
    await expectFocus(field)
    await act(box, 'Confirm')
    await expectFieldError(field, 'Fill in this field.')
    await field.fill('000000')
    await act(box, 'Confirm')
    await toasts(page).getByText('Form validation error').waitFor()
    await expectFocus(field)
    // as apps format it
    await field.fill(app.next().replace(/^.../, '$& '))
    await act(box, 'Confirm')
    const codes = await keepCodes(page)
    await summary(page, 'Your account is well protected').waitFor()
    await page.getByText(/^10 codes from .+ left\.$/).waitFor()
    await expect.poll(() => listed(page, 'Authenticator apps').count()).toBe(1)

    await logOut(page)
    await reachSecondStep(page, account)
    await expectFocus(codeField(page))
    await codeField(page).fill(app.next())
    await button(page, 'Confirm').click()
    await expectDashboard(page)

    await logOut(page)
    await reachSecondStep(page, account)
    await button(page, 'Use a recovery code').click()
    const entry = page.getByLabel('Recovery code', { exact: true })
    await expectFocus(entry)
    await entry.fill(codes[0] ?? '')
    await button(page, 'Confirm').click()
    await expectDashboard(page)
    await openSecurity(page)
    await page.getByText(/^9 codes from .+ left\.$/).waitFor()

    const name = await nameOf(page, 'Authenticator apps')
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    await dialog(page).getByText('Only your password will protect the account.').waitFor()
    await act(dialog(page, `Remove “${name}”?`), 'Remove')
    await summary(page, unprotected).waitFor()
    expect(await listed(page, 'Authenticator apps').count()).toBe(0)
    await logOut(page)
    await signIn(page, account.email, account.password)
  })

  test('can be renamed', async () => {
    const account = await createAccount()
    const { app } = await enrolApp(account, 'Phone')
    const page = await visit('/login')
    await signInWithCode(page, account, app.next())
    await openSecurity(page)
    await page.getByRole('button', { name: 'Rename Phone' }).click()
    const box = dialog(page, 'Rename “Phone”')
    await expectFocus(box.getByLabel('Name'))
    await box.getByLabel('Name').fill('Old phone')
    await act(box, 'Save')
    await expect.poll(() => nameOf(page, 'Authenticator apps')).toBe('Old phone')
    await expectFocus(page.getByRole('button', { name: 'Rename Old phone' }))
  })

  test('rejects a code that was already used', async () => {
    const account = await createAccount()
    const { app } = await enrolApp(account)
    const code = app.next()
    const page = await visit('/login')
    await signInWithCode(page, account, code)
    await logOut(page)
    await reachSecondStep(page, account)
    await codeField(page).fill(code)
    await button(page, 'Confirm').click()
    await expect.poll(() => codeField(page).getAttribute('aria-invalid')).toBe('true')
    await expectFocus(codeField(page))
    await toasts(page).getByText('Form validation error').waitFor()
    await codeField(page).fill(app.next())
    await button(page, 'Confirm').click()
    await expectDashboard(page)
  })

  test('can be entered with the password, and a wrong code is an error at its field', async () => {
    const account = await createAccount()
    const { app } = await enrolApp(account)
    const page = await visit('/login')
    const field = page.getByLabel('Two-step verification')
    await field.fill('000000')
    await sendLogin(page, account.email, account.password)
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await expectFocus(field)
    await field.fill(app.next())
    await button(page, 'Sign in').click()
    await expectDashboard(page)
  })
})

describe('the second step of a sign-in', () => {
  test("returns to the password by its button and the browser's back button", async () => {
    const account = await createAccount()
    await enrolApp(account)
    const page = await visit('/login')
    await reachSecondStep(page, account)
    await button(page, 'Back').click()
    await page.getByLabel('E-mail address').waitFor()
    await button(page, 'Sign in').click()
    await codeField(page).waitFor()
    await page.goBack()
    await page.getByLabel('E-mail address').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    // the input exists only in the page's memory
    await page.reload()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    expect(
      await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state])),
    ).not.toContain(account.password)
  })

  test('continues to the requested page', async () => {
    const account = await createAccount()
    const { app } = await enrolApp(account)
    const page = await visit('/security')
    await reachSecondStep(page, account)
    await codeField(page).fill(app.next())
    await button(page, 'Confirm').click()
    await title(page, 'Security').waitFor()
  })
})

describe('recovery codes', () => {
  test('are shown once, until the user confirms having saved them', async () => {
    const account = await createAccount()
    const { app } = await enrolApp(account)
    const page = await visit('/login')
    await signInWithCode(page, account, app.next())
    await openSecurity(page)
    await act(panel(page, 'Recovery codes'), 'Create new codes')
    await dialog(page)
      .getByText('Your 10 remaining codes stop working immediately, including printed copies.')
      .waitFor()
    await act(dialog(page), 'Create new codes')
    const box = dialog(page, 'Save your recovery codes')
    await expect.poll(() => recoveryCodes(box).count()).toBe(10)
    await expectFocus(box)
    expect(await box.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    expect(await box.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    const [download] = await Promise.all([page.waitForEvent('download'), act(box, 'Save as file')])
    expect(download.suggestedFilename()).toBe(`recovery-codes-${account.email}.txt`)
    const file = await text(await download.createReadStream())
    for (const code of await recoveryCodes(box).allInnerTexts()) expect(file).toContain(code)
    expect(file).toContain(account.email)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await act(box, 'Copy')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n')).toEqual(await recoveryCodes(box).allInnerTexts())
    await keepCodes(page)
    await expectFocus(panel(page, 'Recovery codes').getByRole('button', { name: 'Create new codes' }))
  })

  test('are printed without the rest of the page', async () => {
    const account = await createAccount()
    const { app } = await enrolApp(account)
    const page = await visit('/login')
    await signInWithCode(page, account, app.next())
    await openSecurity(page)
    await act(panel(page, 'Recovery codes'), 'Create new codes')
    await act(dialog(page), 'Create new codes')
    await recoveryCodes(dialog(page)).first().waitFor()
    await page.emulateMedia({ media: 'print' })
    const words = (await page.locator('body').innerText()).split(/\s*\n\s*/).filter(Boolean)
    expect(words.slice(0, 1)).toEqual([expect.stringContaining(account.email)])
    expect(words).toHaveLength(11)
  })
})

describe('a passkey', () => {
  test('is created, works alone and as a second factor, and is removed', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    await withDevice(page)
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    await act(panel(page, 'Passkeys'), 'Add passkey')
    const box = dialog(page, 'Add a passkey')
    expect(await box.getByLabel('Name').inputValue()).toBe('Linux, Chrome')
    await box.getByLabel('Name').fill('Test device')
    await act(box, 'Create passkey')
    await keepCodes(page)
    await expect.poll(() => nameOf(page, 'Passkeys')).toBe('Test device')

    await logOut(page)
    await button(page, 'Sign in with a passkey').click()
    await expectDashboard(page)
    await logOut(page)
    await reachSecondStep(page, account)
    await button(page, 'Use passkey').click()
    await expectDashboard(page)

    await openSecurity(page)
    await expect.poll(() => listed(page, 'Passkeys').innerText()).toContain('last used')
    await page.getByRole('button', { name: 'Remove Test device' }).click()
    await act(dialog(page), 'Remove')
    await summary(page, unprotected).waitFor()
    await logOut(page)
    await button(page, 'Sign in with a passkey').click()
    await toasts(page).getByText('Error').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    await signIn(page, account.email, account.password)
  })

  test('already on the device is not created twice', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    await withDevice(page)
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    await act(panel(page, 'Passkeys'), 'Add passkey')
    await act(dialog(page), 'Create passkey')
    await keepCodes(page)
    await act(panel(page, 'Passkeys'), 'Add passkey')
    await act(dialog(page), 'Create passkey')
    await dialog(page).getByText('This device already has a passkey for your account.').waitFor()
    await act(dialog(page), 'Cancel')
    await expect.poll(() => listed(page, 'Passkeys').count()).toBe(1)
  })

  test('that is unavailable shows a message and other methods', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    const device = await withDevice(page)
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    await act(panel(page, 'Passkeys'), 'Add passkey')
    await act(dialog(page), 'Create passkey')
    const codes = await keepCodes(page)
    await logOut(page)
    await device.lose()
    await reachSecondStep(page, account)
    await button(page, 'Use passkey').click()
    await page.getByText(/^The passkey prompt was cancelled/).waitFor()
    await button(page, 'Use a recovery code').click()
    await page.getByLabel('Recovery code', { exact: true }).fill(codes[3] ?? '')
    await button(page, 'Confirm').click()
    await expectDashboard(page)
  })

  test('is offered only if the browser supports passkeys', async () => {
    const account = await createAccount()
    const page = await visit('/login')
    await button(page, 'Sign in with a passkey').waitFor()
    await retire(page).addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
    await page.reload()
    await button(page, 'Sign in').waitFor()
    expect(await button(page, 'Sign in with a passkey').count()).toBe(0)
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    await panel(page, 'Passkeys')
      .getByText(/^This browser can’t create passkeys/)
      .waitFor()
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Add app' }).count()).toBe(2)
  })
})
