import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { sendLogin, signIn, variantUrl } from '../support/sign-in.ts'
import { makeUser, owner, ownerToken, send } from '../support/users.ts'

const { visit, visitAs } = useVisitor()

/** Signs in to the admin cockpit and opens one of its pages. */
async function visitCockpit(path: string, options: VisitOptions = {}): Promise<Page> {
  const page = await visitAs('admin@example.test', variantUrl(portal.appUrl, 'admin', path), options)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const main = (page: Page) => page.locator('main')
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)
const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
const table = (page: Page, name: string) => main(page).getByRole('table', { name, exact: true })
const rows = (page: Page, name: string) => table(page, name).locator('tbody tr:not(.data-detail)')

/** ID of the demo's owner, and of a user in the account. */
async function ownerId(): Promise<number> {
  const { id } = await send<{ id: number }>('/api/auth/info', { token: await ownerToken() })
  return id
}

/** Deletes an object of the demo's account without a browser. */
const remove = (address: string) => asOwner('DELETE', address)

/** Updates an object of the demo's account without a browser. */
const change = (address: string, body: object) => asOwner('PUT', address, body)

async function asOwner(method: string, address: string, body?: object): Promise<void> {
  const response = await fetch(new URL(address, portal.appUrl), {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await ownerToken()}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status, await response.text()).toBe(200)
}

async function openOwner(query = '', options: VisitOptions = {}): Promise<Page> {
  const page = await visitCockpit(`/user/${await ownerId()}${query}`, options)
  await heading(page, owner).waitFor()
  return page
}

describe('the admin cockpit', () => {
  test('is labelled as such and has its own sections', async () => {
    const page = await visitCockpit('/dashboard')
    await page.getByRole('banner').getByText('Admin', { exact: true }).waitFor()
    const sections = page.getByRole('navigation', { name: 'Sections' })
    expect(await sections.getByRole('link').allInnerTexts()).toEqual([
      'Customers',
      'Approvals',
      'Price changes',
      'Statistics',
      'Tenants',
      'OAuth clients',
      'Operations',
      'Security',
    ])
    await page.locator(':focus').and(page.getByLabel('Search customers')).waitFor()
  })

  test('tells non-administrators that they are in the wrong place and links to the right one', async () => {
    const page = await visit(variantUrl(portal.appUrl, 'admin', '/dashboard'))
    await sendLogin(page, owner)
    await page.getByText('No access to this cockpit').waitFor()
    await page.getByText(`You’re signed in as ${owner}`).waitFor()
    await expectNoFindings(page, 'wrong role')
    expect(await page.getByRole('navigation', { name: 'Sections' }).count()).toBe(0)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Cockpit' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /Ctrl K|⌘ K/ }).count()).toBe(0)
    const way = page.getByRole('link', { name: 'Go to customer portal' })
    expect(await way.getAttribute('href')).toBe(portal.appUrl)
    await page.getByRole('link', { name: 'Sign in with another account' }).click()
    await page.getByLabel('E-mail address').waitFor()
    await signIn(page, 'admin@example.test')
    await page.getByLabel('Search customers').waitFor()
  })

  test('finds customers from every screen', async () => {
    const page = await visitCockpit('/stats')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('jane@')
    await page.getByRole('option', { name: /jane@acme\.test/ }).waitFor()
    await page.getByRole('option', { name: /jane@acme\.test/ }).click()
    await heading(page, 'jane@acme.test').waitFor()
  })
})

describe('the search', () => {
  test('opens a single hit immediately, and "back" returns to where the search began', async () => {
    const page = await visitCockpit('/dashboard')
    await page.getByLabel('Search customers').fill(owner)
    await page.keyboard.press('Enter')
    await heading(page, owner).waitFor()
    await page.goBack()
    await path(page).toBe('/dashboard')
  })

  test('suggests customers and their objects while typing, and recently opened ones', async () => {
    const page = await visitCockpit('/dashboard')
    const field = page.getByRole('combobox', { name: 'Search customers' })
    await field.fill('ne@ac')
    const option = page.getByRole('listbox').getByRole('option')
    await option.filter({ hasText: 'jane@acme.test' }).waitFor()
    expect(await option.locator('mark').allInnerTexts()).toContain('ne@ac')
    await field.fill('cme.tes')
    await page.getByRole('group', { name: 'Domains' }).getByText('acme.test').waitFor()
    await page.keyboard.press('Escape')
    expect(await option.count()).toBe(0)
    await field.fill('ne@ac')
    await option.filter({ hasText: 'jane@acme.test' }).waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await field.getAttribute('aria-activedescendant')).toBe(
      await page.getByRole('option', { selected: true }).getAttribute('id'),
    )
    await page.keyboard.press('Enter')
    await heading(page, 'jane@acme.test').waitFor()
    await page.goto(variantUrl(portal.appUrl, 'admin', '/dashboard'))
    await page.locator(':focus').and(field).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('group', { name: 'Recent' }).getByText('jane@acme.test').waitFor()
    await expectNoFindings(page, 'suggestions of the search')
  })

  test('lists several hits, says what matched, and keeps the query in the URL', async () => {
    const first = await makeUser('Twinly', 'One')
    const second = await makeUser('Twinly', 'Two')
    const page = await visitCockpit('/dashboard')
    await page.getByLabel('Search customers').fill(' twinly ')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await path(page).toBe('/dashboard?search=twinly')
    for (const { email } of [first, second]) {
      const row = rows(page, 'Customers found').filter({ hasText: email })
      await row.getByText(owner).waitFor()
      await row.getByText(/Active|Not ready/).waitFor()
    }
    await page.reload()
    await rows(page, 'Customers found').nth(1).waitFor()
    expect(await page.getByLabel('Search customers').inputValue()).toBe('twinly')
    await page.getByRole('link', { name: first.email }).click()
    await heading(page, first.email).waitFor()
    await page.goBack()
    await rows(page, 'Customers found').nth(1).waitFor()
  })

  test('says when nothing is found, and can be cleared', async () => {
    const page = await visitCockpit('/dashboard?search=nobody-of-that-name')
    await page.getByText('No matches for “nobody-of-that-name”').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await path(page).toBe('/dashboard')
  })
})

describe('a customer', () => {
  test('shows properties, owner, and tabs with counts; the selected tab is in the URL', async () => {
    const page = await openOwner()
    await page.getByRole('region', { name: 'Account owner' }).getByText('Olivia').waitFor()
    const tab = (name: RegExp) => page.getByRole('tab', { name })
    expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('History')
    await expect.poll(() => tab(/^Domains/).innerText()).toMatch(/Domains\s*1/)
    for (const [name, query] of [
      [/^Finances/, 'finances'],
      [/^Receipts/, 'receipts'],
      [/^Aliases/, 'aliases'],
      [/^Subscriptions/, 'subscriptions'],
      [/^Domains/, 'domains'],
      [/^Users/, 'users'],
      [/^Lists/, 'distlists'],
      [/^Resources/, 'resources'],
      [/^Folders/, 'folders'],
      [/^Settings/, 'settings'],
    ] as const) {
      await tab(name).click()
      await path(page).toMatch(new RegExp(`\\?tab=${query}$`))
    }
    await tab(/^History/).click()
    await path(page).not.toContain('tab=')
    await tab(/^Users/).click()
    await rows(page, 'Users').filter({ hasText: 'jane@acme.test' }).getByRole('link').click()
    await heading(page, 'jane@acme.test').waitFor()
    await page.getByRole('region', { name: 'User' }).getByRole('link', { name: owner }).click()
    await heading(page, owner).waitFor()
  })

  test('that does not exist is a 404', async () => {
    const page = await visit(variantUrl(portal.appUrl, 'admin', '/login'))
    await signIn(page, 'admin@example.test')
    await page.goto(variantUrl(portal.appUrl, 'admin', '/user/4294967295'))
    await heading(page, 'Not found').waitFor()
  })

  test('is suspended with a reason and resumed, and the history shows both', async () => {
    const { id, email } = await makeUser('Sus', 'Pended')
    const page = await visitCockpit(`/user/${id}?tab=history`)
    await heading(page, email).waitFor()
    await page.getByRole('button', { name: 'Suspend…' }).click()
    const dialog = page.getByRole('dialog', { name: `Suspend ${email}?` })
    // no reason is preselected, so pressing Enter can't accuse anyone
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('')
    expect(await dialog.getByRole('button', { name: 'Suspend' }).isDisabled()).toBe(true)
    await dialog.getByText('Choose a reason first.').waitFor()
    await dialog.getByLabel('Reason').selectOption('Abuse, for example spam')
    await dialog.getByLabel('Comment').fill('412 mails in <b>ten</b> minutes')
    await expectNoFindings(page, 'suspend dialog')
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.waitFor({ state: 'detached' })
    await main(page).locator('.page-head').getByText('Suspended').waitFor()
    await page.getByRole('region', { name: 'User' }).getByText('Abuse, for example spam').waitFor()
    const entry = rows(page, 'History').filter({ hasText: '412 mails' })
    await entry.waitFor()
    expect(await entry.innerText()).toContain('412 mails in <b>ten</b> minutes')
    expect(await entry.innerText()).toContain('admin@example.test')

    await page.getByRole('button', { name: 'Resume…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Suspend…' }).waitFor()
    // the newest toast is the first one
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).first().click()
    await page.getByRole('button', { name: 'Resume…' }).waitFor()
    await page.getByRole('region', { name: 'User' }).getByText('Abuse, for example spam').waitFor()
  })

  test('is given back from the toast of the suspension', async () => {
    const { id, email } = await makeUser('Taken', 'Back')
    const page = await visitCockpit(`/user/${id}`)
    await heading(page, email).waitFor()
    await page.getByRole('button', { name: 'Suspend…' }).click()
    await page.getByRole('dialog').getByLabel('Reason').selectOption('Abuse, for example spam')
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('button', { name: 'Resume…' }).waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Suspend…' }).waitFor()
  })

  test('gets a bonus and a penalty, with a preview of the balance and the actor in the history', async () => {
    const page = await openOwner('?tab=finances')
    await page.getByRole('button', { name: 'Add bonus…' }).click()
    const dialog = page.getByRole('dialog', { name: `Bonus for ${owner}` })
    await dialog.getByRole('button', { name: 'Add bonus' }).click()
    await dialog.getByText('Fill in this field.').first().waitFor()
    await dialog.getByLabel('Amount (CHF)').fill('nothing')
    await dialog.getByLabel('Description').fill('For your patience')
    await dialog.getByRole('button', { name: 'Add bonus' }).click()
    await dialog.getByText('Enter an amount').waitFor()
    await dialog.getByLabel('Amount (CHF)').fill('0')
    await dialog.getByText(/The balance stays at /).waitFor()
    await dialog.getByLabel('Amount (CHF)').fill('12.50')
    await dialog.getByText(/The balance changes from .* to /).waitFor()
    await expectNoFindings(page, 'bonus dialog')
    await dialog.getByRole('button', { name: 'Add bonus' }).click()
    await dialog.waitFor({ state: 'detached' })
    const bonus = rows(page, 'History').filter({ hasText: 'For your patience' })
    await bonus.waitFor()
    expect((await bonus.innerText()).replaceAll(/\s+/gu, ' ')).toMatch(/admin@example\.test.*\+ CHF 12\.50/)

    await page.getByRole('button', { name: 'Add penalty…' }).click()
    const penalty = page.getByRole('dialog', { name: `Penalty for ${owner}` })
    await penalty.getByLabel('Amount (CHF)').fill('2')
    await penalty.getByLabel('Description').fill('Late')
    await penalty.getByRole('button', { name: 'Add penalty' }).click()
    await rows(page, 'History').filter({ hasText: 'Late' }).getByText('CHF 2.00').waitFor()
  })

  test('gets another discount, which prices reflect', async () => {
    const page = await openOwner('?tab=finances')
    await page.getByRole('button', { name: 'Edit discount' }).click()
    const dialog = page.getByRole('dialog', { name: `Discount for ${owner}` })
    const options = dialog.getByLabel('Discount').getByRole('option')
    await expect.poll(() => options.count()).toBeGreaterThan(1)
    await dialog.getByLabel('Discount').selectOption('none')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: /^Subscriptions/ }).click()
    const choice = main(page).getByRole('group', { name: 'Subscriptions' })
    await choice.getByText('CHF').first().waitFor()
    expect(await choice.innerText()).not.toContain('¹')
    await page.getByRole('tab', { name: /^Finances/ }).click()
    await page.getByRole('button', { name: 'Edit discount' }).click()
    await dialog.getByLabel('Discount').selectOption({ label: '30% - Education' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await main(page).getByText('30%, Education').waitFor()
    await page.getByRole('tab', { name: /^Subscriptions/ }).click()
    await expect.poll(() => choice.innerText()).toContain('¹')
  })

  test('gets another external address; an invalid one is rejected at its field', async () => {
    const { id, email } = await makeUser('Ext', 'Ernal')
    const page = await visitCockpit(`/user/${id}`)
    await page.getByRole('button', { name: 'Edit external e-mail' }).click()
    const dialog = page.getByRole('dialog', { name: `External e-mail of ${email}` })
    await dialog.getByLabel('External e-mail').fill('nowhere')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await dialog.getByLabel('External e-mail').fill('ext@private.test')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'ext@private.test' }).waitFor()
  })

  test('that is deleted is found and restored', async () => {
    const { id, email } = await makeUser('Come', 'Back')
    await remove(`/api/v4/users/${id}`)
    const page = await visitCockpit(`/dashboard?search=${email}`)
    const row = rows(page, 'Customers found').filter({ hasText: email })
    await row.getByText('Deleted', { exact: true }).waitFor()
    await row.getByRole('link').click()
    await page.getByText(/^Deleted on /).waitFor()
    await expectNoFindings(page, 'deleted user')
    await page.getByRole('button', { name: 'Restore…' }).click()
    const dialog = page.getByRole('dialog', { name: `Restore ${email}?` })
    await dialog.getByLabel('Comment').fill('Deleted by mistake')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Deleted on /).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Suspend…' }).waitFor()
  })

  test('with a hostile name is shown as plain text', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const { id, email } = await makeUser('Hostile', 'Person')
    await change(`/api/v4/users/${id}`, { last_name: name, billing_address: `${name}\nSecond line` })
    const page = await visitCockpit(`/user/${id}`)
    await heading(page, email).waitFor()
    await page.getByRole('region', { name: 'User' }).getByText(`Hostile ${name}`).waitFor()
    expect(await main(page).locator('img').count()).toBe(0)
    await page.getByRole('tab', { name: 'History' }).click()
    await rows(page, 'History').first().waitFor()
    expect(await main(page).locator('img').count()).toBe(0)
  })

  test('is resynced', async () => {
    const { id } = await makeUser('Re', 'Synced')
    const page = await visitCockpit(`/user/${id}`)
    await page.getByRole('button', { name: 'Resync' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resync' }).click()
    await toast(page, 'Success').waitFor()
  })

  test('is impersonated for a limited time with a reason, under a banner that ends the session', async () => {
    const { id, email } = await makeUser('Log', 'Inas')
    const page = await visitCockpit(`/user/${id}`)
    await page.getByRole('button', { name: 'Sign in as…' }).click()
    const dialog = page.getByRole('dialog', { name: `Sign in as ${email}?` })
    await dialog.getByRole('button', { name: 'Start session' }).click()
    await dialog.getByText('Fill in this field.').waitFor()
    await dialog.getByLabel('Why').fill('Ticket 4711: cannot find the calendar')
    await expectNoFindings(page, 'log in as')
    await dialog.getByRole('button', { name: 'Start session' }).click()
    const link = dialog.getByRole('link', { name: `Open as ${email}` })
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    const banner = other.getByRole('complementary', { name: 'Support session' })
    await banner.getByText(`admin@example.test is signed in as ${email}.`).waitFor()
    await banner.getByText('Ticket 4711').waitFor()
    await banner.getByText(/^(29|30) minutes left$/).waitFor()
    await expectNoFindings(other, 'impersonation')
    await banner.getByRole('button', { name: 'End session' }).click()
    await other.getByLabel('E-mail address').waitFor()
    expect(await other.getByRole('complementary', { name: 'Support session' }).count()).toBe(0)
  })
})

describe("a customer's objects", () => {
  async function openFirst(page: Page, tab: RegExp, list: string): Promise<void> {
    await page.getByRole('tab', { name: tab }).click()
    await rows(page, list).first().getByRole('link').click()
    await page.getByRole('tab', { name: 'History' }).waitFor()
  }

  test('a domain shows its records, and is suspended and resumed', async () => {
    const page = await openOwner('?tab=domains')
    await openFirst(page, /^Domains/, 'Domains')
    await heading(page, 'acme.test').waitFor()
    await table(page, 'DNS').waitFor()
    await expectNoFindings(page, 'domain')
    await page.getByRole('button', { name: 'Suspend…' }).click()
    await page.getByRole('dialog').getByLabel('Reason').selectOption('Legal')
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('button', { name: 'Resume…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Suspend…' }).waitFor()
  })

  test.each([
    [/^Lists/, 'Lists', 'Recipients', 'distlist'],
    [/^Resources/, 'Resources', 'Settings', 'resource'],
    [/^Folders/, 'Folders', 'Access', 'shared-folder'],
  ] as const)(
    '%s lead to their pages, with history and the way to the owner',
    async (tab, list, first, kind) => {
      const page = await openOwner()
      await openFirst(page, tab, list)
      await path(page).toMatch(new RegExp(`^/${kind}/\\d+$`))
      await page.getByRole('tab', { name: new RegExp(`^${first}`), selected: true }).waitFor()
      await expectNoFindings(page, kind)
      await page.getByRole('tab', { name: 'History' }).click()
      await page.getByRole('tabpanel', { name: 'History' }).locator('section').waitFor()
      await main(page).locator('dd').getByRole('link', { name: owner }).click()
      await heading(page, owner).waitFor()
    },
  )
})

describe('operations', () => {
  test('show the health of the installation, pending jobs and sent mail', async () => {
    const page = await visitCockpit('/operations')
    await main(page).getByText('Everything works.').first().waitFor()
    await main(page).getByRole('heading', { name: 'Database', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Jobs' }).click()
    await path(page).toBe('/operations?tab=jobs')
    await page.getByRole('tabpanel', { name: 'Jobs' }).locator('section').waitFor()
    await page.getByRole('tab', { name: 'Mail log' }).click()
    await path(page).toBe('/operations?tab=mails')
    await page.getByRole('tabpanel', { name: 'Mail log' }).locator('section').waitFor()
  })
})

describe('in light and dark colours axe reports no violations', () => {
  test('on a phone, and nothing is wider than its screen', async () => {
    const page = await openOwner('', { viewport: phone })
    for (const tab of [
      'Mail',
      'Finances',
      'Receipts',
      'Aliases',
      'Subscriptions',
      'Domains',
      'Users',
      'Lists',
      'Resources',
      'Folders',
      'Settings',
      'History',
    ]) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
      await page.getByRole('tabpanel').locator('.panel').first().waitFor()
      await expectNoFindingsInAnyColour(page, tab)
      await expectNoExcess(page, tab)
    }
    for (const address of [
      '/dashboard',
      '/dashboard?search=e',
      '/stats',
      '/operations',
      '/operations?tab=jobs',
    ]) {
      await page.goto(variantUrl(portal.appUrl, 'admin', address))
      await main(page).locator('.panel, .board').first().waitFor()
      await expectNoFindingsInAnyColour(page, address)
      await expectNoExcess(page, address)
    }
  })
})

async function expectNoExcess(page: Page, screen: string): Promise<void> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(excess, screen).toBe(0)
}
