import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { linkIn, mailTo } from '../support/mail.ts'
import { portal } from '../support/portal.ts'
import { decide } from '../support/sandbox.ts'
import { sendLogin, signIn, variantUrl } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { ownerToken, send } from '../support/users.ts'

const { visit, visitAs } = useVisitor()

/** Signs in to the reseller cockpit and opens one of its pages. */
async function visitCockpit(path: string, options: VisitOptions = {}): Promise<Page> {
  const page = await visitAs('reseller@partner.test', variantUrl(portal.appUrl, 'reseller', path), options)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const main = (page: Page) => page.locator('main')
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
const table = (page: Page, name: string) => main(page).getByRole('table', { name, exact: true })
const rows = (page: Page, name: string) => table(page, name).locator('tbody tr:not(.data-detail)')

async function openInvite(page: Page) {
  await page.getByRole('button', { name: 'Invite people', exact: true }).click()
  return page.getByRole('dialog', { name: 'Invite people to sign up' })
}

async function invite(page: Page, email: string): Promise<void> {
  const dialog = await openInvite(page)
  await dialog.getByLabel('E-mail address').fill(email)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await rows(page, 'Invitations').filter({ hasText: email }).waitFor()
}

describe('the reseller cockpit', () => {
  test('has its own sections and shows its wallet', async () => {
    const page = await visitCockpit('/dashboard')
    await page.getByRole('banner').getByText('Reseller', { exact: true }).waitFor()
    expect(
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allInnerTexts(),
    ).toEqual([
      'Customers',
      'Invitations',
      'Wallet',
      'Approvals',
      'Price changes',
      'Statistics',
      'My tenant',
      'Security',
    ])
    const tiles = page.getByRole('list', { name: 'Your areas' })
    await tiles.getByRole('listitem').filter({ hasText: 'Wallet' }).getByText(/CHF/).waitFor()
    await tiles.getByRole('link', { name: 'Wallet' }).click()
    await main(page).getByRole('region', { name: 'Balance', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('tabpanel', { name: 'History' }).locator('.panel').waitFor()
  })

  test('is not accessible to administrators, and says so', async () => {
    const page = await visit(variantUrl(portal.appUrl, 'reseller', '/login'))
    await sendLogin(page, 'admin@example.test')
    await page.getByText('No access to this cockpit').waitFor()
    await page.getByText('which isn’t a reseller').waitFor()
  })

  test('finds no customers of other tenants, neither by search nor by ID', async () => {
    const page = await visitCockpit('/dashboard?search=owner@acme.test')
    await page.getByText('No matches for “owner@acme.test”').waitFor()
    const { id } = await send<{ id: number }>('/api/auth/info', { token: await ownerToken() })
    await page.goto(variantUrl(portal.appUrl, 'reseller', `/user/${id}`))
    await heading(page, 'Not found').waitFor()
  })

  test('charts its own customers only', async () => {
    const page = await visitCockpit('/stats')
    await main(page).getByRole('region', { name: 'Total users', exact: true }).waitFor()
    expect(await main(page).getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Users created and deleted',
      'Total users',
      'Paying accounts',
      'Discounts in use',
      'Vouchers in use',
    ])
  })
})

describe("the tenant's wallet", () => {
  test('is topped up, and the provider redirects to the cockpit', async () => {
    const page = await visitCockpit('/wallet')
    await main(page).getByRole('button', { name: 'Top up' }).click()
    await page.getByLabel('Amount (CHF)').fill('25')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await decide(page, 'Pay')
    await page.waitForURL((url) => url.host === new URL(variantUrl(portal.appUrl, 'reseller', '/')).host)
    await page.getByRole('tab', { name: 'History' }).click()
    await main(page)
      .getByRole('table', { name: 'History' })
      .getByText(/25\.00/)
      .first()
      .waitFor()
  })

  test('has monthly statements per customer', async () => {
    const page = await visitCockpit('/tenant/own?tab=settlements')
    const months = table(page, 'Settlements')
    await months.locator('tbody tr').nth(1).waitFor()
    await months
      .getByRole('button', { name: /customer/i })
      .nth(1)
      .click()
    await main(page).getByText('clara@bistro.test').first().waitFor()
    await expectNoFindings(page, 'settlement lines')
  })
})

describe("the tenant's branding", () => {
  const accent = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim())
  const logo = (page: Page) => page.getByRole('banner').locator('img[src="/themes/harbour/images/logo.svg"]')

  test('applies on its own host before sign-in: name, colours and pages', async () => {
    const url = new URL(portal.appUrl)
    url.hostname = `partner.${url.hostname}`
    const page = await visit(url.href)
    await page.goto(new URL('/login', url).href)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.title()).toContain('Partner')
    await logo(page).waitFor()
    expect(await accent(page)).toContain('#1f4e8c')
    await expectNoFindings(page, 'login page of the tenant')
  })

  test('applies after sign-in on the shared host, stays for the next sign-in, and can be removed', async () => {
    const page = await visit('/login')
    expect(await accent(page)).toContain('#0a6270')
    await signIn(page, 'clara@bistro.test')
    await logo(page).waitFor()
    await heading(page, /./).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard')
    expect(await page.title()).toContain('Partner')
    await page.goto('/logout')
    await page.getByLabel('E-mail address').waitFor()
    await logo(page).waitFor()
    await signIn(page, 'owner@acme.test')
    await expect.poll(() => accent(page)).toContain('#0a6270')
  })

  test.each(['light', 'dark'] as const)('is easy to read in %s colours', async (colorScheme) => {
    const page = await visit('/login', { colorScheme })
    await signIn(page, 'clara@bistro.test')
    await logo(page).waitFor()
    for (const address of ['/dashboard', '/users', '/wallet', '/policies?tab=staff', '/settings']) {
      await page.goto(address)
      await heading(page, /./).waitFor()
      await main(page).locator('.panel, .board').first().waitFor()
      await expectNoFindings(page, address)
    }
  })
})

describe('invitations', () => {
  test('are sent to one address, after a validation error for an invalid one', async () => {
    const page = await visitCockpit('/invitations')
    const dialog = await openInvite(page)
    await dialog.getByLabel('E-mail address').fill('nobody')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await expectNoFindings(page, 'invite dialog')
    await page.keyboard.press('Escape')
    const email = `${uniqueWord('one')}@elsewhere.test`
    await invite(page, email)
    const row = rows(page, 'Invitations').filter({ hasText: email })
    await row.getByText(/Not sent yet|Sent/).waitFor()
  })

  test('are searched, filtered, and revoked after a confirmation with their address', async () => {
    const email = `${uniqueWord('gone')}@elsewhere.test`
    const page = await visitCockpit('/invitations')
    await invite(page, email)
    await page.getByLabel('Search invitations').fill(email)
    await expect.poll(() => rows(page, 'Invitations').count()).toBe(1)
    await page.getByLabel('Status').selectOption('Signed up')
    await page.getByText('No matches').waitFor()
    await page.getByLabel('Status').selectOption('All')
    await page.getByRole('button', { name: `Delete invitation for ${email}` }).click()
    const dialog = page.getByRole('dialog', { name: `Delete invitation for ${email}?` })
    await expectNoFindings(page, 'delete dialog')
    await dialog.getByRole('button', { name: 'Delete invitation' }).click()
    await page.getByText(`No matches for “${email}”`).waitFor()
  })

  test('that were sent can be resent', async () => {
    const email = `${uniqueWord('again')}@elsewhere.test`
    const page = await visitCockpit('/invitations')
    await invite(page, email)
    const row = rows(page, 'Invitations').filter({ hasText: email })
    const again = row.getByRole('button', { name: `Resend to ${email}` })
    await expect
      .poll(
        async () => {
          await page.reload()
          await row.waitFor()
          return again.count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    await again.click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Success').first().waitFor()
  })

  test('from a file are previewed line by line before any is sent', async () => {
    const [one, two] = [`${uniqueWord('file')}@elsewhere.test`, `${uniqueWord('file')}@elsewhere.test`]
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-invite-'))
    const file = join(folder, 'people.csv')
    await writeFile(file, `E-Mail,Name\n${one},One\n${two},Two\n${one},One again\nnobody@,Wrong\n`)
    const page = await visitCockpit('/invitations')
    const dialog = await openInvite(page)
    await dialog.locator('input[type="file"]').setInputFiles(file)
    await dialog.getByText('2 addresses will be invited.').waitFor()
    const left = dialog.getByRole('region', { name: 'Skipped lines' })
    expect(await left.getByRole('row').count()).toBe(3)
    await expectNoFindings(page, 'preview of a file')
    await dialog.getByRole('button', { name: 'Send 2 invitations' }).click()
    await dialog.waitFor({ state: 'detached' })
    await rows(page, 'Invitations').filter({ hasText: one }).waitFor()
    await rows(page, 'Invitations').filter({ hasText: two }).waitFor()
  })

  test('from a file pass the names to sign-up', async () => {
    const email = `${uniqueWord('file')}@elsewhere.test`
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-invite-'))
    const file = join(folder, 'people.csv')
    await writeFile(file, `Vorname;Nachname;E-Mail\nAda;Lovelace;${email}\n`)
    const page = await visitCockpit('/invitations')
    const dialog = await openInvite(page)
    await dialog.locator('input[type="file"]').setInputFiles(file)
    await dialog.getByRole('button', { name: 'Send 1 invitation' }).click()
    await dialog.waitFor({ state: 'detached' })
    await rows(page, 'Invitations').filter({ hasText: email }).getByText('Ada Lovelace').waitFor()
    const guest = await visit(linkIn(await mailTo(email), '/signup/invite/'))
    await guest.getByText('You’re invited.').waitFor()
    await guest
      .getByRole('button', { name: /^Start with/ })
      .first()
      .click()
    await expect.poll(() => guest.getByLabel('First name').inputValue()).toBe('Ada')
    expect(await guest.getByLabel('Last name').inputValue()).toBe('Lovelace')
  })

  test('from a file without addresses show an error at each line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-invite-'))
    const file = join(folder, 'people.txt')
    await writeFile(file, 'Ada Lovelace\n\nGrace Hopper\n')
    const page = await visitCockpit('/invitations')
    const dialog = await openInvite(page)
    await dialog.locator('input[type="file"]').setInputFiles(file)
    const left = dialog.getByRole('region', { name: 'Skipped lines' })
    await left.getByRole('row', { name: /^1 Ada Lovelace/ }).waitFor()
    await left.getByRole('row', { name: /^3 Grace Hopper/ }).waitFor()
    expect(await dialog.getByRole('button', { name: /^Send/ }).isDisabled()).toBe(true)
  })

  test('with a hostile address are shown as text, in the preview and in the result', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-invite-'))
    const file = join(folder, 'people.csv')
    await writeFile(file, '"<img src=x onerror=alert(1)>@x",Evil\n')
    const page = await visitCockpit('/invitations')
    const dialog = await openInvite(page)
    await dialog.locator('input[type="file"]').setInputFiles(file)
    await dialog.getByText('No one will be invited.').waitFor()
    await dialog.getByText('<img src=x onerror=alert(1)>@x').waitFor()
    expect(await dialog.locator('img').count()).toBe(0)
  })
})

describe("the reseller's tenant", () => {
  test('creates discounts and stops offering them', async () => {
    const code = uniqueWord('code').toUpperCase().slice(0, 20)
    const page = await visitCockpit('/tenant/own?tab=discounts')
    await page.getByRole('button', { name: 'New discount…' }).click()
    const dialog = page.getByRole('dialog', { name: 'New discount' })
    await dialog.getByLabel('Discount in percent').fill('101')
    await dialog.getByLabel('Description').fill('Spring')
    await dialog.getByLabel('Code').fill(code)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a whole number from 0 to 100.').waitFor()
    await expectNoFindings(page, 'new discount')
    await dialog.getByLabel('Discount in percent').fill('15')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = rows(page, 'Discounts').filter({ hasText: code })
    await row.getByText('15%').waitFor()
    await row.getByRole('button', { name: /Stop offering/ }).click()
    await row.getByRole('button', { name: /Offer again/ }).waitFor()
  })

  test('has settings that can be saved, but not those reserved for administrators', async () => {
    const page = await visitCockpit('/tenant/own?tab=settings')
    await page.getByLabel('Sender name').fill('Partner mail')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    await page.reload()
    await expect.poll(() => page.getByLabel('Sender name').inputValue()).toBe('Partner mail')
    expect(await page.getByRole('region', { name: 'Limits', exact: true }).count()).toBe(0)
  })
})

describe('in light and dark colours axe reports no violations', () => {
  test('on a phone, and nothing is wider than its screen', async () => {
    const page = await visitCockpit('/dashboard', { viewport: phone })
    for (const address of [
      '/dashboard',
      '/invitations',
      '/stats',
      '/wallet',
      '/tenant/own',
      '/tenant/own?tab=discounts',
      '/tenant/own?tab=catalogue',
      '/tenant/own?tab=settings',
    ]) {
      await page.goto(variantUrl(portal.appUrl, 'reseller', address))
      await main(page).locator('.panel, .board').first().waitFor()
      await path(page).toBe(address)
      await expectNoFindingsInAnyColour(page, address)
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(excess, address).toBe(0)
    }
  })
})
