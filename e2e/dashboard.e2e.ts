import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createTokenAccount } from './support/account.ts'
import { expectNoFindings } from './support/axe.ts'
import { phone, useVisitor } from './support/browser.ts'
import { portal } from './support/portal.ts'
import { retire } from './support/profiles.ts'
import { signIn, variantUrl } from './support/sign-in.ts'

const { visit, visitAs } = useVisitor()

async function tiles(page: Page): Promise<string[]> {
  await page.getByRole('list', { name: 'Your areas' }).waitFor()
  return page.getByRole('list', { name: 'Your areas' }).locator('h2 a').allInnerTexts()
}

const sections = (page: Page) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allInnerTexts()

describe('the tiles', () => {
  test('of an account owner', async () => {
    const page = await visitAs('owner@acme.test', '/dashboard')
    expect(await tiles(page)).toEqual([
      ...['My account', 'Domains', 'User accounts', 'Distribution lists', 'Resources', 'Shared folders'],
      ...['Wallet', 'Video chat', 'Files', 'Policies', 'Webmail', 'Companion app'],
    ])
    await page.getByText(/^Acme AG · customer [\d\s]+$/).waitFor()
    await page.getByText('Olivia Berger').waitFor()
    await page.getByText('30% discount: Education').waitFor()
    expect(await page.getByText('beta').count()).toBe(4)
  })

  test('of a member lack what only the owner may do', async () => {
    const page = await visitAs('jane@acme.test', '/dashboard')
    expect(await tiles(page)).toEqual(['My account', 'Video chat', 'Files', 'Webmail', 'Companion app'])
    expect(await sections(page)).toEqual(['Overview', 'Files', 'Rooms', 'Mail', 'Security'])
  })

  test('of a single account', async () => {
    const page = await visitAs('solo@example.test', '/dashboard')
    expect(await tiles(page)).toEqual([
      ...['My account', 'User accounts', 'Wallet', 'Video chat', 'Files', 'Policies', 'Webmail'],
      'Companion app',
    ])
  })

  test('of a degraded account omit meetings and files, and a banner says why', async () => {
    const page = await visitAs('degraded@example.test', '/dashboard')
    expect(await tiles(page)).not.toContain('Video chat')
    expect(await tiles(page)).not.toContain('Files')
    const banner = page.getByRole('status').filter({ hasText: 'The account is degraded.' })
    await banner.getByText('Please make a payment').waitFor()
    await banner.getByRole('link', { name: 'Top up wallet' }).click()
    await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor()
    await banner.waitFor()
  })

  test('of staff', async () => {
    const page = await visit('/login')
    await page.goto(variantUrl(portal.appUrl, 'admin', '/'))
    await signIn(page, 'admin@example.test')
    expect(await tiles(page)).toEqual(['Statistics', 'Tenants', 'Approvals', 'Operations'])
    await page.getByRole('banner').getByText('Admin').waitFor()
    await page.goto(variantUrl(portal.appUrl, 'reseller', '/'))
    await signIn(page, 'reseller@partner.test')
    expect(await tiles(page)).toEqual(['Wallet', 'Invitations', 'Statistics', 'Approvals', 'My tenant'])
  })

  test('link to the right screens', async () => {
    const page = await visitAs('owner@acme.test', '/dashboard')
    await page
      .getByRole('list', { name: 'Your areas' })
      .getByRole('link', { name: 'Domains', exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
    const here = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current="page"]')
    expect(await here.allInnerTexts()).toEqual(['Domains'])
    await page.goBack()
    const webmail = page.getByRole('link', { name: 'Webmail' })
    expect(await webmail.getAttribute('href')).toBe('/webmail/')
  })

  test.each([
    [4, 'Good evening'],
    [9, 'Good morning'],
    [15, 'Good afternoon'],
  ])('greet at %i o’clock with %s', async (hour, greeting) => {
    const page = await visit('/login')
    await retire(page).clock.setFixedTime(new Date(2026, 5, 1, hour))
    await signIn(page, 'owner@acme.test')
    await page.getByRole('heading', { level: 1, name: `${greeting}, Olivia` }).waitFor()
  })
})

describe('a page without permission', () => {
  test('shows error 403 and, for the wallet, who can grant access', async () => {
    const page = await visitAs('jane@acme.test', '/wallet')
    await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor()
    await page.getByText('Only account owners can open the wallet.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/wallet')
    expect(await page.locator('body').getAttribute('class')).toBe('page-error')
    await page.goto('/users')
    await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor()
    expect(await page.getByText('wallet').count()).toBe(0)
    await page.getByRole('link', { name: 'Go to dashboard' }).click()
    await page.getByRole('heading', { level: 1, name: /Jane/ }).waitFor()
  })

  test('explains to the owner of a degraded account why meetings are unavailable and how to fix it', async () => {
    const page = await visitAs('degraded@example.test', '/rooms')
    await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor()
    await page.getByText('because your balance is used up').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Top up wallet' }).click()
    await page.waitForURL((url) => url.pathname === '/wallet')
  })

  test("names a missing domain, and doesn't refer owners to themselves", async () => {
    const page = await visitAs('solo@example.test', '/distlists')
    await page.getByText('needs your own domain, which your plan doesn’t include').waitFor()
    expect(await page.getByText('owner').count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Contact support' }).first().click()
    await page.getByRole('dialog').waitFor()
  })

  test('explains to members why payments are unavailable', async () => {
    const page = await visitAs('jane@acme.test', '/payment/status')
    await page.getByRole('heading', { name: 'Only the account owner makes payments' }).waitFor()
    expect(await page.getByText('Failed to load data').count()).toBe(0)
    await expectNoFindings(page, 'payment of others')
  })
})

type Info = SessionResponse['statusInfo']

/** Makes the server report a set-up in progress; `next` answers the status requests. */
async function underSetup(
  page: Page,
  start: Partial<Info>,
  next: (refresh: boolean) => Partial<Info> & object,
) {
  let info: Info | undefined
  await page.route('**/api/auth/login', async (route) => {
    const response = await route.fetch()
    const body: SessionResponse = await response.json()
    info = { ...body.statusInfo, ...start }
    await route.fulfill({ response, json: { ...body, statusInfo: info } })
  })
  await page.route('**/api/v4/users/*/status*', (route) => {
    const refresh = new URL(route.request().url()).searchParams.has('refresh')
    return route.fulfill({ json: { ...info, ...next(refresh) } })
  })
}

const step = (label: string, state: boolean, link?: string) => ({
  label,
  title: `Step ${label}`,
  state,
  link,
})
const box = (page: Page) => page.getByRole('region', { name: /^Your account is/ })

describe('the status box', () => {
  test('follows the set-up, and the tiles update with it', async () => {
    const page = await visit('/login')
    let done = false
    await underSetup(
      page,
      {
        process: [step('user-new', true), step('user-imap-ready', false), step('domain-new', false)],
        processState: 'running',
        isDone: false,
        enableFiles: false,
      },
      () =>
        done
          ? { isDone: true, processState: 'done', process: [] }
          : {
              process: [step('user-new', true), step('user-imap-ready', true), step('domain-new', false)],
              enableFiles: true,
            },
    )
    await retire(page).clock.install()
    await signIn(page, 'owner@acme.test')
    expect(await tiles(page)).not.toContain('Files')
    const bar = box(page).getByRole('progressbar')
    expect(await bar.getAttribute('aria-valuenow')).toBe('33')
    await expectNoFindings(page, 'dashboard under set-up')

    await page.clock.runFor(5000)
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('66')
    expect(await tiles(page)).toContain('Files')
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Files' }).waitFor()
    done = true
    await page.clock.runFor(6000)
    await box(page).waitFor({ state: 'detached' })
  })

  test('lets the user retry a failed set-up', async () => {
    const page = await visit('/login')
    const process = [step('user-new', true), step('user-imap-ready', false)]
    await underSetup(page, { process, processState: 'failed', isDone: false }, (refresh) =>
      refresh ? { processState: 'waiting', ...{ status: 'success', message: 'It goes on.' } } : {},
    )
    await signIn(page, 'owner@acme.test')
    await expectNoFindings(page, 'dashboard with a failed set-up')
    await box(page).getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('It goes on.').waitFor()
    await box(page).getByRole('button', { name: 'Refresh' }).waitFor({ state: 'detached' })
  })

  test('links to the domain that needs verification', async () => {
    const page = await visit('/login')
    const process = [step('user-new', true), step('domain-confirmed', false, '/domain/7')]
    await underSetup(page, { process, processState: 'running', isDone: false }, () => ({}))
    await signIn(page, 'owner@acme.test')
    await box(page).getByRole('link', { name: 'Verify domain' }).click()
    await page.waitForURL('**/domain/7')
  })
})

describe('an owner without a recovery address', () => {
  test('is asked for one at the first sign-in, reminded later, and can add one in both places', async () => {
    const owner = await createTokenAccount()
    const page = await visitAs(owner.email, '/dashboard', { password: owner.password })
    await page.getByRole('heading', { name: 'Add a recovery address' }).waitFor()
    await expectNoFindings(page, 'recovery address')
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByText('Your account has no recovery address.').waitFor()
    await page.reload()
    await page.getByText('Your account has no recovery address.').waitFor()
    await page.goto('/security')
    await page.getByRole('button', { name: 'Add address' }).click()
    await page.getByRole('textbox', { name: 'Recovery address' }).fill('nonsense')
    await page.getByRole('button', { name: 'Add address' }).click()
    await page.getByText('Check the format').waitFor()
    await page.getByRole('textbox', { name: 'Recovery address' }).fill('private@elsewhere.test')
    await page.getByRole('button', { name: 'Add address' }).click()
    await page.getByText('Recovery address saved.').first().waitFor()
    await page.goto('/dashboard')
    await tiles(page)
    expect(await page.getByText('recovery address').count()).toBe(0)
  })

  test('is not a member, who can be helped by the owner', async () => {
    const page = await visitAs('jane@acme.test', '/dashboard')
    await tiles(page)
    expect(await page.getByText('recovery address').count()).toBe(0)
  })
})

test('a locked account offers only its payment', async () => {
  const page = await visit('/login')
  await page.route('**/api/auth/login', async (route) => {
    const response = await route.fetch()
    const body: SessionResponse = await response.json()
    await route.fulfill({ response, json: { ...body, isLocked: true } })
  })
  await signIn(page, 'solo@example.test')
  await page.getByText('Your account is locked.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/payment/status')
  expect(await page.getByRole('navigation', { name: 'Sections' }).count()).toBe(0)
  await expectNoFindings(page, 'lock screen')
  await page.getByRole('main').getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

describe.each(['light', 'dark'] as const)('in %s colours axe finds nothing on', (colorScheme) => {
  test('the dashboards on a phone', async () => {
    const viewport = phone
    const page = await visitAs('owner@acme.test', '/dashboard', { viewport, colorScheme })
    await tiles(page)
    await expectNoFindings(page, 'dashboard')
    const other = await visitAs('degraded@example.test', '/dashboard', { viewport, colorScheme })
    await tiles(other)
    await expectNoFindings(other, 'degraded dashboard')
    await other.goto('/files')
    await other.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor()
    await expectNoFindings(other, 'error 403')
    await page.goto('/users')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await expectNoFindings(page, 'an area of a later release')
  })
})
