import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { useVisitor } from '../support/browser.ts'
import { act, addAppOnScreen, dialog, keepCodes, panel } from '../support/factors.ts'
import { sendLogin, signIn } from '../support/sign-in.ts'
import { button, title } from '../support/signup.ts'
import { makeUser, owner, ownerToken, send } from '../support/users.ts'

const { visit } = useVisitor()

const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
const enrolment = (page: Page) => title(page, 'Set up two-step verification')

/** Makes the next token refresh due, as after an hour. */
function letTokensExpire(page: Page): Promise<void> {
  return page.evaluate(() => {
    localStorage.setItem('tokenExpires', '1')
    window.dispatchEvent(new Event('online'))
  })
}

describe('a second factor that is no longer required', () => {
  test('lets users sign in as before', async () => {
    const ned = await makeUser('Ned', 'Moss')
    const token = await ownerToken()
    const { ownerId } = await send<{ ownerId: number }>('/api/v4/policies', { token })
    const set = (second_factor_policy: string) =>
      send(`/api/v4/users/${ownerId}/config`, { token, body: { second_factor_policy } })
    await set('required')
    const page = await visit('/login')
    await sendLogin(page, ned.email)
    await enrolment(page).waitFor()
    await set('optional')
    await page.getByRole('banner').getByRole('link', { name: 'Sign out' }).click()
    await signIn(page, ned.email)
    await path(page).toBe('/dashboard')
    await page.goto('/enrol')
    await path(page).toBe('/dashboard')
  })
})

describe('a second factor that the account requires', () => {
  test('is requested before anything else, then leads to the requested page', async () => {
    const jane = await makeUser('Jane', 'Doe')
    const late = await makeUser('Late', 'Comer')
    const page = await visit('/policies?tab=factor')
    await signIn(page, owner)
    await page.getByRole('radio', { name: /^Everyone/ }).check()
    await page.getByText('Tell your users first.').waitFor()
    await button(page, 'Save').click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Success').waitFor()

    // at sign-in
    const hers = await visit('/settings?tab=personal')
    await sendLogin(hers, jane.email)
    await enrolment(hers).waitFor()
    await hers.getByText(`The account of ${jane.email} requires it for all users.`).waitFor()
    await path(hers).toBe('/enrol')
    expect(await hers.getByRole('navigation', { name: 'Sections' }).count()).toBe(0)
    expect(await hers.getByRole('button', { name: /^Search or jump/ }).count()).toBe(0)
    expect(await hers.getByRole('link', { name: 'Dashboard' }).count()).toBe(0)
    await hers.goto('/users')
    await enrolment(hers).waitFor()
    await hers.goto('/settings?tab=personal')
    await enrolment(hers).waitFor()
    await button(hers, 'Add app').click()
    await addAppOnScreen(hers)
    await keepCodes(hers)
    await title(hers, 'My account').waitFor()
    await path(hers).toBe('/settings?tab=personal')
    await hers.getByRole('navigation', { name: 'Sections' }).waitFor()

    // the last factor can't be removed
    await hers.goto('/security')
    await panel(hers, 'Authenticator apps')
      .getByRole('button', { name: /^Remove / })
      .click()
    await dialog(hers, /^You can’t remove /)
      .getByText('this is your only method')
      .waitFor()
    expect(await dialog(hers).getByRole('button', { name: 'Remove' }).count()).toBe(0)
    await act(dialog(hers).locator('footer'), 'Close')

    // account managers see each user's factors, including users without any
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Users' }).click()
    const row = (email: string) => page.getByRole('row').filter({ hasText: email })
    await page.getByLabel('Search users').fill(late.email)
    await row(late.email).getByText('Not set up yet').waitFor()
    await page.getByLabel('Search users').fill(jane.email)
    await row(jane.email).getByText('Authenticator app', { exact: true }).waitFor()
    await expectNoFindings(page, 'users')
    await row(jane.email).getByRole('link').click()
    await page
      .getByRole('complementary', { name: 'At a glance' })
      .getByText('Authenticator app', { exact: true })
      .waitFor()

    // users who are already signed in, at the next token refresh
    await letTokensExpire(page)
    await enrolment(page).waitFor()
    await page.locator('main').getByRole('link', { name: 'Sign out' }).click()
    await title(page, 'Sign in').waitFor()
  })
})
