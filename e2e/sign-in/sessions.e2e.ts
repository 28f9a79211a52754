import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { sendLogin, signIn } from '../support/sign-in.ts'

const { visit } = useVisitor()

async function visitAs(email: string, path: string, options: VisitOptions = {}): Promise<Page> {
  const page = await visit(path, options)
  await signIn(page, email)
  return page
}

const sessions = (page: Page) => page.getByRole('table', { name: 'Where you’re signed in' })
const appPasswords = (page: Page) => page.getByRole('table', { name: 'App passwords' })
const dialog = (page: Page) => page.getByRole('dialog')
const nameField = (page: Page) => dialog(page).getByRole('textbox', { name: 'Name' })
const said = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text).first().waitFor()

/** Triggers an API request, as a user does who hasn't noticed yet. */
async function isThrownOut(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Sessions' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
}

describe('two browsers of one user', () => {
  test('see each other, and one signs the other out on its next click', async () => {
    const other = await visitAs('jane@acme.test', '/security?tab=factors')
    const page = await visitAs('jane@acme.test', '/security?tab=sessions')
    await sessions(page).getByText('this session').waitFor()
    await expect.poll(() => sessions(page).getByText('Chrome on Linux').count()).toBe(2)
    const ends = sessions(page).getByRole('button', { name: 'Sign out Chrome on Linux' })
    // the newer session, which makes the request, comes first
    await ends.nth(1).click()
    await dialog(page).getByRole('heading', { name: 'Sign out Chrome on Linux?' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Sign out' }).click()
    await said(page, 'The session has been ended.')
    await expect.poll(() => sessions(page).getByText('Chrome on Linux').count()).toBe(1)
    await isThrownOut(other)
    await page.getByText('Ended in the last 30 days').click()
    await page.getByText('Ended from another session').waitFor()
  })

  test('can sign out all others together', async () => {
    const others = [
      await visitAs('ned@acme.test', '/security?tab=factors'),
      await visitAs('ned@acme.test', '/security?tab=factors', { viewport: phone }),
    ]
    const page = await visitAs('ned@acme.test', '/security?tab=sessions')
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await dialog(page).getByText('2 other sessions end immediately. This one stays open.').waitFor()
    await dialog(page).getByRole('button', { name: 'Sign out everywhere else' }).click()
    await said(page, '2 other sessions have been ended.')
    const [first] = others
    if (first) await isThrownOut(first)
    expect(await page.getByRole('button', { name: 'Sign out everywhere else' }).count()).toBe(0)
  })

  test('signing out the current session leads to the sign-in page', async () => {
    const page = await visitAs('ned@acme.test', '/security?tab=sessions')
    await sessions(page).getByRole('button', { name: 'Sign out Chrome on Linux' }).first().click()
    await dialog(page).getByText('This is your current session.').waitFor()
    await dialog(page).getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password', { exact: true }).waitFor()
  })
})

describe('an app password', () => {
  test('is created, shown once, renamed and deleted', async () => {
    const page = await visitAs('jane@acme.test', '/security')
    await page.getByRole('tab', { name: 'App passwords' }).click()
    expect(new URL(page.url()).search).toBe('?tab=app-passwords')
    await page.getByRole('button', { name: 'New app password' }).click()
    await nameField(page).fill('Thunderbird on the laptop')
    await dialog(page).getByLabel('Calendar and contacts').check()
    await dialog(page).getByLabel('Expires').selectOption({ label: 'After 90 days' })
    await dialog(page).getByRole('button', { name: 'Create app password' }).click()
    await dialog(page).getByText('It’s shown only once.').waitFor()
    const secret = await dialog(page).locator('.app-password-secret code').innerText()
    expect(secret).toMatch(/^([2-9a-hj-np-z]{4}-){5}[2-9a-hj-np-z]{4}$/)
    await dialog(page).getByText('jane@acme.test').waitFor()
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(secret)
    const row = appPasswords(page).getByRole('row', { name: /Thunderbird on the laptop/ })
    await row.getByText('Reading mail · Sending mail · Calendar and contacts').waitFor()
    await row.getByText('Not used yet').waitFor()

    await row.getByRole('button', { name: 'Rename Thunderbird on the laptop' }).click()
    await nameField(page).fill('Laptop')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await appPasswords(page).getByText('Laptop', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Delete Laptop' }).click()
    await dialog(page).getByRole('heading', { name: 'Delete the app password “Laptop”?' }).waitFor()
    await dialog(page).getByRole('button', { name: 'Delete app password' }).click()
    await page.getByRole('heading', { name: 'No app passwords yet' }).waitFor()
  })

  test('requires a name and at least one scope', async () => {
    const page = await visitAs('jane@acme.test', '/security?tab=app-passwords')
    await page.getByRole('button', { name: 'New app password' }).click()
    await dialog(page).getByRole('button', { name: 'Create app password' }).click()
    await expect.poll(() => nameField(page).getAttribute('aria-invalid')).toBe('true')
    await nameField(page).fill('Phone')
    await dialog(page)
      .getByRole('checkbox', { name: /^Reading mail/ })
      .uncheck()
    await dialog(page)
      .getByRole('checkbox', { name: /^Sending/ })
      .uncheck()
    await dialog(page).getByRole('button', { name: 'Create app password' }).click()
    await dialog(page).getByText('Choose at least one.').waitFor()
  })
})

describe('a lockdown', () => {
  test('signs everyone else out, sets a new password and lists what to set up again', async () => {
    const other = await visitAs('solo@example.test', '/security?tab=factors')
    const page = await visitAs('solo@example.test', '/security?tab=app-passwords')
    await page.getByRole('button', { name: 'New app password' }).click()
    await nameField(page).fill('Old phone')
    await dialog(page).getByRole('button', { name: 'Create app password' }).click()
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('tab', { name: 'Sessions' }).click()
    await page.getByRole('button', { name: 'Lock down account' }).click()
    await dialog(page).getByText('All other sessions end on every device.').waitFor()
    const lock = dialog(page).getByRole('button', { name: 'Lock down now' })
    await lock.click()
    const [password, again] = [
      dialog(page).getByLabel('Password', { exact: true }),
      dialog(page).getByLabel('Confirm password'),
    ]
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
    await password.fill('After-the-thief-1')
    await again.fill('After-the-thief-1')
    await lock.click()

    await page.getByText('Your account is locked down.').first().waitFor()
    await page.getByText('One other session', { exact: true }).waitFor()
    await page.getByText('One app password: Old phone').waitFor()
    await page.getByText('Your old password, replaced by the new one').waitFor()
    await page.getByText('For apps you still use: Old phone').waitFor()
    await isThrownOut(other)
    await sendLogin(other, 'solo@example.test')
    await other
      .getByText(/incorrect/)
      .first()
      .waitFor()
    await signIn(other, 'solo@example.test', 'After-the-thief-1')

    await page.getByRole('link', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'No app passwords yet' }).waitFor()
  })

  test('of a member is available to account managers, as is signing out everywhere', async () => {
    const member = await visitAs('ned@acme.test', '/security?tab=factors')
    const page = await visitAs('owner@acme.test', '/users?search=ned@acme.test')
    await page.getByRole('link', { name: /Ned/ }).first().click()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await dialog(page).getByLabel('Lock down account').check()
    await dialog(page).getByLabel('End all sessions').check()
    await dialog(page).getByRole('button', { name: 'End all sessions' }).click()
    await said(page, /sessions? (has|have) been ended/)
    await isThrownOut(member)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await dialog(page).getByLabel('Lock down account').check()
    await dialog(page).getByRole('button', { name: 'Lock down account' }).click()
    await said(page, 'The account has been locked down. All other access has ended.')
  })
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s', (_name, viewport) => {
  test('axe reports no violations in light and dark colours', async () => {
    const page = await visitAs('degraded@example.test', '/security?tab=app-passwords', {
      viewport,
    })
    const make = page.getByRole('button', { name: 'New app password' }).first()
    await make.click()
    await nameField(page).fill(`Phone ${viewport.width}`)
    await expectNoFindingsInAnyColour(page, 'new app password')
    await dialog(page).getByRole('button', { name: 'Create app password' }).click()
    await dialog(page).getByRole('button', { name: 'Done' }).waitFor()
    await expectNoFindingsInAnyColour(page, 'the secret')
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await appPasswords(page).waitFor()
    await expectNoFindingsInAnyColour(page, 'app passwords')
    await page.goto('/security?tab=sessions')
    await sessions(page).waitFor()
    await expectNoFindingsInAnyColour(page, 'sessions')
    await page.getByRole('button', { name: 'Lock down account' }).click()
    await expectNoFindingsInAnyColour(page, 'lockdown')
    await dialog(page).getByLabel('Set a new password now').uncheck()
    await dialog(page).getByRole('button', { name: 'Lock down now' }).click()
    await page.getByRole('heading', { name: 'Next steps' }).waitFor()
    await expectNoFindingsInAnyColour(page, 'after a lockdown')
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(wide).toBe(false)
  })
})
