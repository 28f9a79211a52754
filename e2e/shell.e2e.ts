import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings, expectNoFindingsInAnyColour } from './support/axe.ts'
import { desktop, phone, useVisitor } from './support/browser.ts'
import { portal } from './support/portal.ts'
import { retire } from './support/profiles.ts'
import { sendLogin, signIn, variantUrl } from './support/sign-in.ts'

const { visit } = useVisitor()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const header = (page: Page) => page.getByRole('banner')
const footer = (page: Page) => page.getByRole('contentinfo')
const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

describe('header and footer', () => {
  test("have the product's entries for visitors", async () => {
    const page = await visit('/login')
    await heading(page, 'Sign in').waitFor()
    expect(await header(page).getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Sign up',
      'Support',
      'Sign in',
    ])
    expect(await footer(page).getByRole('link').allInnerTexts()).toEqual([
      'Sign up',
      'Support',
      'Terms',
      'Privacy',
      'Sign in',
    ])
    expect(await header(page).locator('[aria-current="page"]').allInnerTexts()).toEqual(['Sign in'])
    expect(await footer(page).innerText()).toMatch(/© \d{4} Gatehouse/)
    expect(await page.locator('body').getAttribute('class')).toBe('page-login')
  })

  test('have the entries for signed-in users', async () => {
    const page = await visit('/dashboard')
    await signIn(page, 'owner@acme.test')
    await heading(page, /Olivia/).waitFor()
    expect(await header(page).getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Support',
      'Dashboard',
      'Sign out',
    ])
    expect(await page.locator('body').getAttribute('class')).toBe('page-dashboard')
    await header(page).getByRole('link', { name: 'Support' }).click()
    await heading(page, 'Support').waitFor()
    expect(await header(page).locator('[aria-current="page"]').allInnerTexts()).toEqual(['Support'])
    await header(page).getByRole('link', { name: 'Gatehouse' }).click()
    await heading(page, /Olivia/).waitFor()
  })

  test('offer staff no sign-up link', async () => {
    const page = await visit('/login')
    await page.goto(variantUrl(portal.appUrl, 'admin', '/login'))
    await heading(page, 'Sign in').waitFor()
    expect(await header(page).getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Support',
      'Sign in',
    ])
  })

  test('collapse behind a button on a phone, and close on navigation', async () => {
    const page = await visit('/login', { viewport: phone })
    await heading(page, 'Sign in').waitFor()
    expect(await header(page).getByRole('link', { name: 'Support' }).isVisible()).toBe(false)
    await header(page).getByRole('button', { name: 'Open menu' }).click()
    await header(page).getByRole('button', { name: 'Close menu', expanded: true }).waitFor()
    await expectNoFindings(page, 'open menu')
    await header(page).getByRole('link', { name: 'Support' }).click()
    await heading(page, 'Support').waitFor()
    await header(page).getByRole('button', { name: 'Open menu', expanded: false }).waitFor()
    expect(await header(page).getByRole('link', { name: 'Support' }).isVisible()).toBe(false)
  })

  test('no screen is wider than a phone', async () => {
    const page = await visit('/login', { viewport: phone, locale: 'de-CH' })
    for (const path of ['/login', '/support', '/terms', '/unknown']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(excess, path).toBe(0)
    }
  })
})

describe('the keyboard', () => {
  test('skips the header and gets through the sign-in', async () => {
    const page = await visit('/support')
    await heading(page, 'Support').waitFor()
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Contact support')

    await page.goto('/login')
    await page.locator(':focus').and(page.getByLabel('E-mail address')).waitFor()
    const path: (string | undefined)[] = []
    for (let stop = 0; stop < 5; stop += 1) {
      await page.keyboard.press('Tab')
      path.push(
        await page.evaluate(() => {
          const element = document.activeElement
          return element?.id || element?.getAttribute('aria-label') || element?.textContent?.trim()
        }),
      )
    }
    expect(path.slice(0, 3)).toEqual(['password', 'Show password', 'secondfactor'])
    expect(path[3]).toContain('Sign in')
    expect(path[4]).toBe('Forgot password?')
  })

  test('opens and closes menus', async () => {
    const page = await visit('/login')
    const button = page.getByRole('button', { name: 'Language: English' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'EN - English', checked: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await focusedText(page)).toBe('DE - Deutsch')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('menu').count()).toBe(0)
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe('colours', () => {
  const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = 'rgb(243, 245, 243)'
  const dark = 'rgb(14, 20, 19)'

  test('follow the system until the user chooses', async () => {
    const page = await visit('/login', { colorScheme: 'dark' })
    await heading(page, 'Sign in').waitFor()
    expect(await background(page)).toBe(dark)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => background(page)).toBe(light)
    await page.getByRole('button', { name: 'Theme: System' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(() => background(page)).toBe(dark)
    await page.reload()
    await heading(page, 'Sign in').waitFor()
    expect(await background(page)).toBe(dark)
  })

  test('that were chosen are applied before any script runs', async () => {
    const page = await visit('/login', { colorScheme: 'light', expectedErrors: ['ERR_FAILED'] })
    await page.getByRole('button', { name: 'Theme: System' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.route('**/*.js', (route) => route.abort())
    await page.reload()
    expect(await page.locator('#app > *').count()).toBe(0)
    expect(await background(page)).toBe(dark)
  })
})

/** Freezes time, so that only the test advances it. */
async function stopClock(page: Page): Promise<void> {
  await retire(page).clock.install()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
}

describe('toasts', () => {
  test('an error stays for ten seconds', async () => {
    const page = await visit('/login')
    await heading(page, 'Sign in').waitFor()
    await stopClock(page)
    await sendLogin(page, 'nobody@example.test', 'wrong')
    const toast = notifications(page).getByText('Error', { exact: true })
    await toast.waitFor()
    await page.clock.runFor(9999)
    expect(await toast.count()).toBe(1)
    await page.clock.runFor(1)
    await toast.waitFor({ state: 'detached' })
  })

  test('a success stays for five seconds and can be closed earlier', async () => {
    const page = await visit('/dashboard')
    await signIn(page, 'solo@example.test')
    await heading(page, /Sol/).waitFor()
    await stopClock(page)
    await header(page).getByRole('link', { name: 'Sign out' }).click()
    const toast = notifications(page).getByText('Success', { exact: true })
    await toast.waitFor()
    await page.clock.runFor(4999)
    expect(await toast.count()).toBe(1)
    await page.clock.runFor(1)
    await toast.waitFor({ state: 'detached' })

    await page.clock.resume()
    await signIn(page, 'solo@example.test')
    await header(page).getByRole('link', { name: 'Sign out' }).click()
    await toast.waitFor()
    await expectNoFindings(page, 'toast')
    await notifications(page).getByRole('button', { name: 'Close message' }).click()
    await toast.waitFor({ state: 'detached' })
  })
})

describe('when something is unavailable', () => {
  test('a chunk that fails once is loaded by reloading the page', async () => {
    const page = await visit('/login', { expectedErrors: ['net::ERR_FAILED'] })
    await heading(page, 'Sign in').waitFor()
    let failures = 0
    await page.route('**/assets/dashboard-page-*.js', (route) => {
      failures += 1
      return failures === 1 ? route.abort() : route.continue()
    })
    await signIn(page, 'owner@acme.test')
    await heading(page, /Olivia/).waitFor()
    expect(failures).toBe(2)
  })

  test('a chunk that stays missing shows an error page with a way to continue', async () => {
    const page = await visit('/login', { expectedErrors: ['net::ERR_FAILED', 'ChunkError'] })
    await heading(page, 'Sign in').waitFor()
    await page.route('**/assets/dashboard-page-*.js', (route) => route.abort())
    await signIn(page, 'owner@acme.test')
    await page.getByText('Part of the application couldn’t be loaded.').waitFor()
    expect(await page.locator('body').getAttribute('class')).toBe('page-error')
    await expectNoFindings(page, 'chunk failure')
    await page.unroute('**/assets/dashboard-page-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading(page, /Olivia/).waitFor()
  })

  test('a server that is down at the start shows an error page with a retry', async () => {
    const page = await visit('/dashboard', { expectedErrors: ['net::ERR_FAILED'] })
    await signIn(page, 'owner@acme.test')
    await heading(page, /Olivia/).waitFor()
    await page.route('**/api/auth/info*', (route) => route.abort())
    await page.reload()
    await page.getByText('Can’t reach the server. Check your connection and try again.').waitFor()
    await expectNoFindings(page, 'server gone')
    await page.unroute('**/api/auth/info*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading(page, /Olivia/).waitFor()
  })

  test('a server that goes down during sign-in shows a toast, and the form stays', async () => {
    const page = await visit('/login', { expectedErrors: ['net::ERR_FAILED'] })
    await heading(page, 'Sign in').waitFor()
    await page.route('**/api/auth/login', (route) => route.abort())
    await sendLogin(page, 'owner@acme.test')
    await notifications(page)
      .getByText('Can’t reach the server. Check your connection and try again.')
      .waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('owner@acme.test')
    await page.unroute('**/api/auth/login')
    await signIn(page, 'owner@acme.test')
  })
})

describe('in light and dark colours axe reports no violations on', () => {
  test.each([
    ['wide', desktop],
    ['narrow', phone],
  ])('the login, %s', async (_, viewport) => {
    const page = await visit('/login', { viewport })
    await heading(page, 'Sign in').waitFor()
    await expectNoFindingsInAnyColour(page, 'login')
    await page.locator('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Fill in this field.').first().waitFor()
    await expectNoFindingsInAnyColour(page, 'login with errors')
  })
})
