import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { sendLogin, signIn, variantUrl } from '../support/sign-in.ts'

const { visit } = useVisitor()

const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
const loginForm = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sign in' })
const dashboard = (page: Page) =>
  page.getByRole('heading', { level: 1, name: /^Good (morning|afternoon|evening)/ })

async function chooseLanguage(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`: ${from}$`) }).click()
  await page.getByRole('menuitemradio', { name: to }).click()
}

/** Invalidates the session's tokens. */
function spoil(page: Page, ...keys: ('token' | 'refreshToken')[]): Promise<void> {
  return page.evaluate((names) => {
    for (const name of names) localStorage.setItem(name, `worthless-${name}`)
  }, keys)
}

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

describe('signing in', () => {
  test('leads to the dashboard', async () => {
    const page = await visit('/login')
    await signIn(page, 'owner@acme.test')
    await path(page).toBe('/dashboard')
    await dashboard(page).waitFor()
    expect(await page.title()).toBe('Dashboard · Gatehouse')
  })

  test('fails with a wrong password: toast, message at the field, the form stays', async () => {
    const page = await visit('/login')
    await sendLogin(page, 'solo@example.test', 'wrong')
    const password = page.getByLabel('Password', { exact: true })
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('region', { name: 'Notifications' }).getByText('Error').waitFor()
    await path(page).toBe('/login')
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('solo@example.test')
  })

  test('validates empty fields in the browser', async () => {
    const page = await visit('/login')
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await page.locator('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Fill in this field.').nth(1).waitFor()
    const focused = page.getByLabel('E-mail address')
    await expect.poll(() => focused.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(calls.filter((url) => url.includes('/api/'))).toEqual([])
  })

  test('works with the Enter key from the first field', async () => {
    const page = await visit('/login')
    await page.locator(':focus').and(page.getByLabel('E-mail address')).waitFor()
    await page.keyboard.type('owner@acme.test')
    await page.getByLabel('Password', { exact: true }).focus()
    await page.keyboard.type('simple123')
    await page.keyboard.press('Enter')
    await dashboard(page).waitFor()
  })

  test('asks ordinary users for a second factor, but not staff', async () => {
    const page = await visit('/login')
    await page.getByLabel('Two-step verification').waitFor()
    await page.getByRole('link', { name: 'Forgot password?' }).waitFor()
    await page.goto(variantUrl(portal.appUrl, 'admin', '/login'))
    await loginForm(page).waitFor()
    expect(await page.getByLabel('Two-step verification').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Forgot password?' }).count()).toBe(0)
  })

  test('continues to the requested page, with its query', async () => {
    const page = await visit('/users?search=jane&sort=name')
    await loginForm(page).waitFor()
    await path(page).toBe('/login')
    await signIn(page, 'owner@acme.test')
    await path(page).toBe('/users?search=jane&sort=name')
  })

  test('from / with an invalid token leads to the dashboard', async () => {
    const page = await visit('/login')
    await spoil(page, 'token', 'refreshToken')
    await page.goto('/')
    await loginForm(page).waitFor()
    await signIn(page, 'solo@example.test')
    await path(page).toBe('/dashboard')
  })

  test('is skipped when already signed in', async () => {
    const page = await visit('/login')
    await signIn(page, 'solo@example.test')
    await page.goto('/login')
    await path(page).toBe('/dashboard')
    await page.goto('/')
    await path(page).toBe('/dashboard')
  })
})

describe('a session', () => {
  test('survives a reload', async () => {
    const page = await visit('/settings')
    await signIn(page, 'owner@acme.test')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    await path(page).toBe('/settings')
  })

  test('renews an expired access token at the start', async () => {
    const page = await visit('/dashboard')
    await signIn(page, 'owner@acme.test')
    await spoil(page, 'token')
    await page.reload()
    await dashboard(page).waitFor()
    expect(await tokenOf(page)).not.toContain('worthless')
  })

  test('renews an expired access token during a request, unnoticed', async () => {
    const page = await visit('/dashboard')
    await signIn(page, 'owner@acme.test')
    await dashboard(page).waitFor()
    await spoil(page, 'token')
    const answers: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/api/auth/')) answers.push(`${pathname} ${response.status()}`)
    })
    // switching the language reloads the user
    await chooseLanguage(page, 'English', 'Deutsch')
    await page.getByRole('heading', { level: 1, name: /^Guten (Morgen|Tag|Abend), Olivia/ }).waitFor()
    await expect.poll(() => answers).toContain('/api/auth/info 200')
    expect(answers).toContain('/api/auth/info 401')
    // other requests of the screen failed as well; one refresh serves them all
    expect(answers.filter((answer) => answer.includes('/refresh'))).toEqual(['/api/auth/refresh 200'])
    expect(await tokenOf(page)).not.toContain('worthless')
  })

  test("that can't be renewed ends at the sign-in page, which leads back", async () => {
    const page = await visit('/users?search=x')
    await signIn(page, 'owner@acme.test')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await spoil(page, 'token', 'refreshToken')
    await chooseLanguage(page, 'English', 'Deutsch')
    await page.getByText('Ihre Sitzung', { exact: false }).first().waitFor()
    await path(page).toBe('/login')
    await chooseLanguage(page, 'Deutsch', 'English')
    await signIn(page, 'owner@acme.test')
    await path(page).toBe('/users?search=x')
  })

  test('survives a simultaneous refresh in two tabs', async () => {
    const page = await visit('/dashboard')
    await signIn(page, 'owner@acme.test')
    const other = await page.context().newPage()
    await other.goto('/dashboard')
    await dashboard(other).waitFor()
    const before = await tokenOf(page)
    // both find the token expired when they are back online
    await page.evaluate(() => localStorage.setItem('tokenExpires', '1'))
    const wake = (tab: Page) => tab.evaluate(() => window.dispatchEvent(new Event('online')))
    await Promise.all([wake(page), wake(other)])
    await expect.poll(() => tokenOf(other)).not.toBe(before)
    await Promise.all([page.reload(), other.reload()])
    await Promise.all([dashboard(page).waitFor(), dashboard(other).waitFor()])
  })

  test('survives a refresh response that is lost after the token was exchanged', async () => {
    const page = await visit('/dashboard', { expectedErrors: ['net::ERR_FAILED'] })
    await signIn(page, 'owner@acme.test')
    let lost = 0
    await page.route('**/api/auth/info*', async (route) => {
      if (lost > 0) return route.continue()
      lost += 1
      await route.fetch()
      await route.abort()
    })
    await page.reload()
    await dashboard(page).waitFor()
    expect(lost).toBe(1)
  })

  test('starts in the other tabs too', async () => {
    const page = await visit('/login')
    const other = await page.context().newPage()
    await other.goto('/terms')
    await other.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await signIn(page, 'owner@acme.test')
    await other.getByRole('link', { name: 'Sign out' }).first().waitFor()
  })
})

describe('form input', () => {
  const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'New user' })

  test('survives the session, for the same user only and without passwords', async () => {
    const page = await visit('/user/new')
    await signIn(page, 'owner@acme.test')
    await heading(page).waitFor()
    await page.getByLabel('First name').fill('Nora')
    await page.getByLabel('Password', { exact: true }).fill('tulip-anchor-42')
    await spoil(page, 'token', 'refreshToken')
    await chooseLanguage(page, 'English', 'Deutsch')
    await path(page).toBe('/login')
    await chooseLanguage(page, 'Deutsch', 'English')
    await page.reload()
    const stored = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))
    expect(stored).not.toContain('tulip-anchor-42')
    await signIn(page, 'owner@acme.test')
    await path(page).toBe('/user/new')
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Nora')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await page.getByText('What you typed is still here.').first().waitFor()

    await spoil(page, 'token', 'refreshToken')
    await chooseLanguage(page, 'English', 'Deutsch')
    await path(page).toBe('/login')
    await chooseLanguage(page, 'Deutsch', 'English')
    await signIn(page, 'solo@example.test')
    await path(page).toBe('/user/new')
    await heading(page).waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('')
  })

  test.each([
    ['/user/new', 'First name'],
    ['/distlist/new', 'Name'],
    ['/settings?tab=personal', 'First name'],
  ])('does not keep %s open when the person logs out in another tab', async (address, label) => {
    const page = await visit(address)
    await signIn(page, 'owner@acme.test')
    await page.getByLabel(label, { exact: true }).fill('Unsaved')
    const other = await page.context().newPage()
    await other.goto('/dashboard')
    await other.getByRole('banner').getByRole('link', { name: 'Sign out' }).click()
    await loginForm(other).waitFor()
    await loginForm(page).waitFor()
    await path(page).toBe('/login')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('signing out', () => {
  test('shows a message and ends the session in the other tabs', async () => {
    const page = await visit('/dashboard')
    await signIn(page, 'owner@acme.test')
    const other = await page.context().newPage()
    await other.goto('/settings')
    await other.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Sign out' }).click()
    await loginForm(page).waitFor()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Success').waitFor()
    await loginForm(other).waitFor()
    await other.getByRole('region', { name: 'Notifications' }).getByText('in another tab').waitFor()
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  test('leaves no private data behind the back button', async () => {
    const page = await visit('/dashboard')
    await signIn(page, 'owner@acme.test')
    await dashboard(page).waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Sign out' }).click()
    await loginForm(page).waitFor()
    await page.goBack()
    await loginForm(page).waitFor()
    await expect.poll(() => page.getByText('Olivia').count()).toBe(0)
    await path(page).toBe('/login')
  })

  test("forgets the previous user's requested page", async () => {
    const page = await visit('/users')
    await signIn(page, 'owner@acme.test')
    await page.getByRole('banner').getByRole('link', { name: 'Sign out' }).click()
    await loginForm(page).waitFor()
    await signIn(page, 'solo@example.test')
    await path(page).toBe('/dashboard')
  })
})
