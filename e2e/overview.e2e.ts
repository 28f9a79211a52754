import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createTokenAccount } from './support/account.ts'
import { expectNoFindings } from './support/axe.ts'
import { phone, useVisitor, type VisitOptions } from './support/browser.ts'
import { portal } from './support/portal.ts'
import { signIn, variantUrl } from './support/sign-in.ts'

const { visit, visitAs } = useVisitor()

const board = (page: Page) => page.getByRole('list', { name: 'Your areas' })
const tile = (page: Page, name: string) =>
  board(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
const attention = (page: Page) => page.getByRole('region', { name: 'Needs attention' })

/** Waits until the figures have loaded. */
async function told(page: Page): Promise<void> {
  await board(page).and(page.locator('[aria-busy]')).waitFor({ state: 'detached' })
  await board(page).locator('.tile-figure').first().waitFor()
}

async function visitCockpit(variant: 'admin' | 'reseller', options: VisitOptions = {}): Promise<Page> {
  const page = await visit(variantUrl(portal.appUrl, variant, '/login'), options)
  await signIn(page, variant === 'admin' ? 'admin@example.test' : 'reseller@partner.test')
  await told(page)
  return page
}

describe('the dashboard of an owner', () => {
  test('shows figures, how long the balance lasts, and recent activity', async () => {
    const page = await visitAs('owner@acme.test', '/dashboard')
    await told(page)
    for (const [name, words] of [
      ['Domains', /^\d+/],
      ['User accounts', /^\d+/],
      ['Distribution lists', /^\d+ members? in total/],
      ['Shared folders', /^\d+.*calendar/],
      ['Video chat', /^\d+/],
      ['Files', /^[\d.,]+\s[kMG]?B\s*of \d+\sGB/],
      ['Policies', /^\d+\+characters/],
      ['Companion app', /^0devices paired/],
    ] as const) {
      await expect
        .poll(() => tile(page, name).locator('.tile-text').textContent(), { message: name })
        .toMatch(words)
    }
    expect(await tile(page, 'Wallet').textContent()).toMatch(/CHF.*Lasts until \d+ \w+ \d{4}.*30% discount/)
    await tile(page, 'Wallet').locator('svg.step-line path').first().waitFor({ state: 'attached' })
    await tile(page, 'My account')
      .getByText(/\d+ sessions? · password only/)
      .waitFor()
    const recent = page.getByRole('region', { name: 'Recent activity' })
    await recent.getByRole('listitem').first().waitFor()
    await recent.getByRole('link', { name: 'Show all' }).click()
    await page.waitForURL('**/activity')
  })

  test('shows what needs attention, with links that work by keyboard', async () => {
    const page = await visitAs('owner@acme.test', '/dashboard')
    const row = attention(page).getByRole('listitem').filter({ hasText: 'Two-step verification is off' })
    await row.getByRole('link', { name: 'Turn on' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/security')
  })

  test('offers the most common actions', async () => {
    const page = await visitAs('owner@acme.test', '/dashboard')
    await page.getByRole('main').getByRole('link', { name: 'New room' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'New user' }).click()
    await page.waitForURL('**/user/new')
  })

  test('keeps its tiles when the figures can’t be loaded, and offers a retry', async () => {
    const page = await visit('/login', { expectedErrors: ['500'] })
    await page.route('**/api/v4/overview', (route) =>
      route.fulfill({ status: 500, json: { status: 'error', message: 'Internal server error' } }),
    )
    await signIn(page, 'owner@acme.test')
    const alert = page.getByRole('alert').filter({ hasText: 'The figures of the dashboard' })
    await alert.waitFor()
    expect(await board(page).locator('h2 a').count()).toBe(12)
    await tile(page, 'Wallet').getByText(/CHF/).waitFor()
    await page.unroute('**/api/v4/overview')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
    await tile(page, 'Distribution lists').locator('.tile-figure').waitFor()
  })

  test('reserves space for figures that are loading', async () => {
    const page = await visit('/login')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/v4/overview', async (route) => {
      await held
      await route.continue()
    })
    await signIn(page, 'owner@acme.test')
    await tile(page, 'Domains').locator('.skeleton').first().waitFor()
    const before = await tile(page, 'Policies').boundingBox()
    release()
    await told(page)
    const after = await tile(page, 'Policies').boundingBox()
    expect(after?.height).toBe(before?.height)
  })
})

test('a member sees their own sign-ins and nothing about the account', async () => {
  const page = await visitAs('jane@acme.test', '/dashboard')
  await told(page)
  await page
    .getByRole('region', { name: 'Your recent sign-ins' })
    .getByText('You signed in')
    .first()
    .waitFor()
  expect(await page.getByRole('link', { name: 'New user' }).count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'Add files' }).waitFor()
  await tile(page, 'Files')
    .getByText(/of \d+/)
    .waitFor()
})

test('a degraded account shows one notice and no paid actions', async () => {
  const page = await visitAs('degraded@example.test', '/dashboard')
  await told(page)
  await tile(page, 'Wallet').getByText('Top up to restore full service').waitFor()
  expect(
    await attention(page)
      .getByText(/balance/)
      .count(),
  ).toBe(0)
  expect(await page.getByRole('link', { name: /New user|New room|Add files/ }).count()).toBe(0)
})

test('an empty account shows its first steps', async () => {
  const owner = await createTokenAccount()
  const page = await visitAs(owner.email, '/dashboard', { password: owner.password })
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByRole('link', { name: 'Protect your account' }).waitFor()
  await expectNoFindings(page, 'first steps')
  await steps.getByRole('link', { name: 'Create your first user' }).click()
  await page.waitForURL('**/user/new')
})

describe('the cockpit', () => {
  test('of an admin shows customers, sign-ups and the installation', async () => {
    const page = await visitCockpit('admin')
    const unpaid = page.getByRole('list', { name: 'Unpaid customers' })
    await unpaid
      .getByRole('listitem')
      .filter({ hasText: 'degraded@example.test' })
      .getByText('Degraded', { exact: true })
      .waitFor()
    await tile(page, 'Statistics')
      .getByText(/new accounts?/)
      .waitFor()
    await tile(page, 'Statistics').locator('svg.trend-bars').waitFor()
    await tile(page, 'Operations')
      .getByText(/failed jobs?/)
      .waitFor()
    await unpaid.getByRole('link', { name: 'degraded@example.test' }).click()
    await page.getByRole('heading', { level: 1, name: 'degraded@example.test' }).waitFor()
  })

  test('of a reseller shows their own customers only', async () => {
    const page = await visitCockpit('reseller')
    expect(await board(page).getByRole('link', { name: 'Operations' }).count()).toBe(0)
    expect(await page.getByRole('main').getByText(/jobs?/).count()).toBe(0)
    expect(await page.getByRole('main').getByText('degraded@example.test').count()).toBe(0)
    await tile(page, 'Invitations')
      .getByText(/open invitations?/)
      .waitFor()
    await tile(page, 'My tenant')
      .getByText(/verified/)
      .waitFor()
  })
})

describe.each(['light', 'dark'] as const)('in %s colours axe finds nothing on', (colorScheme) => {
  test('the figures of all dashboards on a phone', async () => {
    const viewport = phone
    const owner = await visitAs('owner@acme.test', '/dashboard', { viewport, colorScheme })
    await told(owner)
    await expectNoFindings(owner, 'dashboard with figures')
    for (const variant of ['admin', 'reseller'] as const) {
      const page = await visitCockpit(variant, { viewport, colorScheme })
      await expectNoFindings(page, `${variant} dashboard with figures`)
    }
  })
})

test('in German nothing overflows a phone screen', async () => {
  const page = await visitAs('owner@acme.test', '/dashboard', { viewport: phone, locale: 'de-DE' })
  await page.getByText('Braucht Ihre Aufmerksamkeit').waitFor()
  const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  expect(wide).toBeLessThanOrEqual(shown ?? 0)
})
