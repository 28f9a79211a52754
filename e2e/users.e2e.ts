import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { expectNoFindings } from './support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from './support/browser.ts'
import { demoPassword, signIn } from './support/sign-in.ts'
import { uniqueWord } from './support/signup.ts'

const { visit } = useVisitor()

const owner = 'owner@acme.test'
/** In the names and addresses of the users that the tests find in the list. */
const mark = randomBytes(4).toString('hex')

/** A call of the owner, without a browser. */
async function api(path: string, body?: object, method = body ? 'POST' : 'GET') {
  const { access_token } = await send('/api/auth/login', { email: owner, password: demoPassword }, 'POST')
  return send(path, body, method, access_token)
}

async function send(path: string, body: object | undefined, method: string, token?: string) {
  const response = await fetch(new URL(path, inject('appUrl')), {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  })
  return response.json()
}

let groupware = ''

interface Made {
  id: number
  email: string
}

async function makeUser(first: string, last = mark): Promise<Made> {
  const email = `${uniqueWord(first.toLowerCase())}@acme.test`
  const { id } = await api('/api/v4/users', {
    email,
    first_name: first,
    last_name: last,
    package: groupware,
    password: demoPassword,
    password_confirmation: demoPassword,
  })
  return { id, email }
}

beforeAll(async () => {
  const packages: { id: string; title: string }[] = await api('/api/v4/packages')
  groupware = packages.find(({ title }) => title === 'kolab')?.id ?? ''
  for (let number = 10; number < 33; number += 1) await makeUser(`Row${number}`)
})

async function visitAs(email: string, path: string, options: VisitOptions = {}): Promise<Page> {
  const page = await visit(path, options)
  await signIn(page, email)
  return page
}

const title = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: typeof name === 'string' })
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()
const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })
const table = (page: Page) => page.getByRole('table', { name: 'Users' })
const names = (page: Page) => table(page).getByRole('link').allInnerTexts()
const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

describe('the list', () => {
  test('is searched, sorted and paged in its address', async () => {
    const page = await visitAs(owner, '/users')
    await page.getByText(/^\d+ users$/).waitFor()
    await page.getByLabel('Search users').fill(mark)
    await page.waitForURL(`**/users?search=${mark}`)
    await page.getByText('1–20 of 23').waitFor()
    await page.getByRole('button', { name: 'Name' }).click()
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL(`**/users?search=${mark}&sort=name&order=desc`)
    await expect.poll(() => names(page).then(([first]) => first)).toBe(`Row32 ${mark}`)
    const head = page.getByRole('columnheader', { name: 'Name' })
    expect(await head.getAttribute('aria-sort')).toBe('descending')

    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('21–23 of 23').waitFor()
    expect(await names(page)).toEqual([12, 11, 10].map((number) => `Row${number} ${mark}`))
    const deepLink = page.url()
    await page.goBack()
    await page.getByText('1–20 of 23').waitFor()
    await page.goto(deepLink)
    await page.getByText('21–23 of 23').waitFor()
    await page.getByLabel('Rows').selectOption('50')
    await page.getByText('1–23 of 23').waitFor()
    expect(path(page)).toContain('size=50')
  })

  test('is narrowed by status, and says when nothing matches', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await page.getByLabel('Status').selectOption('Suspended')
    await page.getByText(`Nothing matches “${mark}”`).waitFor()
    expect(path(page)).toContain('status=suspended')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.waitForURL('**/users')
    await table(page).getByRole('link').first().waitFor()
    expect(await page.getByLabel('Search users').inputValue()).toBe('')
  })

  test('leads to a user by a press anywhere in the row, and back', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await table(page)
      .getByRole('row')
      .nth(2)
      .click({ position: { x: 500, y: 20 } })
    await page.waitForURL(/\/user\/\d+$/)
    await title(page, `Row11 ${mark}`).waitFor()
    await page.goBack()
    await page.getByText('1–20 of 23').waitFor()
    expect(path(page)).toBe(`/users?search=${mark}`)
  })

  test('that could not be loaded can be tried again', async () => {
    const page = await visit('/dashboard', { expectedErrors: ['status of 500'] })
    await signIn(page, owner)
    await page.route('**/api/v4/users?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Users' }).click()
    await page.getByText('Failed to load data.').waitFor()
    await page.unroute('**/api/v4/users?*')
    await button(page, 'Retry').click()
    await table(page).waitFor()
  })
})

describe('a new user', () => {
  test('gets a password that was typed, a package and aliases', async () => {
    const login = uniqueWord('typed')
    const page = await visitAs(owner, '/users')
    await page.getByRole('link', { name: 'New user' }).click()
    await page.getByLabel('First name').fill('Tina')
    await page.getByLabel('Last name').fill('Typed')
    await page.getByLabel('E-mail address').fill(login)
    await page.getByLabel('Aliases: new entry').fill(`${login}.alias@acme.test`)
    await page.getByLabel('Password', { exact: true }).fill('Lindenhof-42')
    await page.getByLabel('Repeat password').fill('Lindenhof-42')
    const price = page.getByRole('region', { name: 'Price' })
    await price.getByText('CHF 6.93').waitFor()
    await page.getByLabel('Mail account').check()
    await expect.poll(() => price.locator('.price-total').innerText()).toMatch(/CHF\s3\.50/)
    await button(page, 'Create user').click()
    await toast(page, 'The user has been created.').waitFor()
    await title(page, 'Tina Typed').waitFor()
    expect(path(page)).toMatch(/^\/user\/\d+$/)
    expect(await page.getByLabel('Aliases, entry 1').inputValue()).toBe(`${login}.alias@acme.test`)
    expect(await page.getByRole('checkbox', { name: 'Groupware' }).isChecked()).toBe(false)
    const typed = await visit('/login')
    await signIn(typed, `${login}@acme.test`, 'Lindenhof-42')
  })

  test('chooses the password through a link that works once the user exists', async () => {
    const login = uniqueWord('link')
    const page = await visitAs(owner, '/user/new')
    await page.getByLabel('First name').fill('Lina')
    await page.getByLabel('E-mail address').fill(login)
    await button(page, 'One-time link').click()
    const url = await page.getByLabel('Link to set the password').inputValue()
    await page.getByText(/becomes active when you save/).waitFor()
    const early = await visit(new URL(url).pathname)
    await title(early, 'Not found').waitFor()

    await button(page, 'Create user').click()
    await title(page, 'Lina').waitFor()
    expect(await page.getByLabel('Active link').inputValue()).toBe(url)
    const person = await visit(new URL(url).pathname)
    await person.getByLabel('Password', { exact: true }).fill('Rosengarten-7')
    await person.getByLabel('Repeat password').fill('Rosengarten-7')
    await person.locator('form button[type="submit"]').click()
    await title(person, /Lina/).waitFor()
    await page.reload()
    await title(page, 'Lina').waitFor()
    expect(await page.getByLabel('Active link').count()).toBe(0)
  })

  test('is refused with errors at the fields', async () => {
    const page = await visitAs(owner, '/user/new')
    await button(page, 'Create user').click()
    const email = page.getByLabel('E-mail address')
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
    expect(await email.evaluate((field) => field === document.activeElement)).toBe(true)
    await email.fill('jane')
    await page.getByLabel('Aliases: new entry').fill('nobody@elsewhere.test')
    await page.getByLabel('Password', { exact: true }).fill('abc')
    await page.getByLabel('Repeat password').fill('abd')
    await button(page, 'Create user').click()
    for (const label of ['E-mail address', 'Aliases, entry 1', 'Password']) {
      const field = page.getByLabel(label, { exact: true })
      await expect.poll(() => field.getAttribute('aria-invalid'), { message: label }).toBe('true')
    }
    expect(path(page)).toBe('/user/new')
    await expectNoFindings(page, 'new user with errors')
  })

  test('that is not saved is not lost by a slip', async () => {
    const page = await visitAs(owner, '/user/new')
    await page.getByLabel('First name').fill('Half')
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('First name').inputValue()).toBe('Half')
    await page.locator('main').getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave and discard' }).click()
    await title(page, 'Users').waitFor()
  })
})

describe('a user', () => {
  test('is changed over several tabs in one go, and the history tells', async () => {
    const { id } = await makeUser('Edit', uniqueWord())
    const page = await visitAs(owner, `/user/${id}`)
    const alias = `${uniqueWord('alias')}@acme.test`
    await page.getByLabel('Aliases: new entry').fill(alias)
    await button(page, 'Add').click()
    await page.getByLabel('Storage: quantity').fill('25')
    await page.getByRole('checkbox', { name: 'Mobile synchronisation' }).check()
    const price = page.getByRole('region', { name: 'Price' })
    await price.getByText('Storage, 25 GB').waitFor()
    await price.getByText('CHF 6.93').waitFor()
    await page.getByRole('checkbox', { name: 'Second factor' }).check()
    await page.getByText('Cannot be used together with Second factor.').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Mobile synchronisation' }).isChecked()).toBe(false)
    await page.getByRole('tab', { name: 'Personal' }).click()
    await page.getByLabel('Phone').fill('+41 44 123 45 67')
    await page.getByLabel('Country').selectOption('Liechtenstein')
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByText('5 unsaved changes').waitFor()
    await button(page, 'Save').click()
    await toast(page, 'The user has been updated.').waitFor()
    await bar.waitFor({ state: 'detached' })

    await page.reload()
    await expect.poll(() => page.getByLabel('Phone').inputValue()).toBe('+41 44 123 45 67')
    await page.getByRole('tab', { name: 'General' }).click()
    expect(await page.getByLabel('Aliases, entry 1').inputValue()).toBe(alias)
    await expect.poll(() => page.getByLabel('Storage: quantity').inputValue()).toBe('25')
    await page.getByRole('tab', { name: 'History' }).click()
    const change = page.getByRole('row').filter({ hasText: 'User changed' })
    await change.getByText('Phone: +41 44 123 45 67').waitFor()
    await change.getByText(owner).waitFor()
    await page.getByLabel('Event').selectOption('Password')
    await page.waitForURL('**event=password')
    await expect.poll(() => page.getByText('User changed').count()).toBe(0)
  })

  test('shows errors at their fields, on the tab that has them', async () => {
    const { id } = await makeUser('Wrong', uniqueWord())
    const page = await visitAs(owner, `/user/${id}`)
    await page.getByLabel('Aliases: new entry').fill('ned@elsewhere.test')
    await button(page, 'Add').click()
    await page.getByRole('tab', { name: 'Personal' }).click()
    await button(page, 'Save').click()
    const alias = page.getByLabel('Aliases, entry 1')
    await expect.poll(() => alias.getAttribute('aria-invalid')).toBe('true')
    expect(await alias.inputValue()).toBe('ned@elsewhere.test')
    await button(page, 'Discard').click()
    await page.getByRole('tab', { name: 'Personal' }).click()
    await page.getByLabel('Phone').fill('call me')
    await button(page, 'Save').click()
    await expect.poll(() => page.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true')
  })

  test('that is changed in two tabs keeps what was typed in both', async () => {
    const { id } = await makeUser('Twice', uniqueWord())
    const first = await visitAs(owner, `/user/${id}?tab=personal`)
    const second = await first.context().newPage()
    await second.goto(`/user/${id}?tab=personal`)
    await second.getByLabel('Phone').fill('+41 1')
    await first.getByLabel('Organization').fill('Acme Labs')
    await button(second, 'Save').click()
    await toast(second, 'The user has been updated.').waitFor()
    await button(first, 'Save').click()
    await first.getByText('Somebody else has changed this user in the meantime.').waitFor()
    expect(await first.getByLabel('Organization').inputValue()).toBe('Acme Labs')
    await expectNoFindings(first, 'conflict')
    await button(first, 'Reload').click()
    await expect.poll(() => first.getByLabel('Phone').inputValue()).toBe('+41 1')
    expect(await first.getByLabel('Organization').inputValue()).toBe('Acme Labs')
    await button(first, 'Save').click()
    await toast(first, 'The user has been updated.').waitFor()
    await second.reload()
    await expect.poll(() => second.getByLabel('Organization').inputValue()).toBe('Acme Labs')
    expect(await second.getByLabel('Phone').inputValue()).toBe('+41 1')
  })

  test('gets a link instead of a password, which can be copied and withdrawn', async () => {
    const { id } = await makeUser('Linked', uniqueWord())
    const page = await visitAs(owner, `/user/${id}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'One-time link').click()
    const url = await page.getByLabel('Link to set the password').inputValue()
    await button(page, 'Copy').click()
    await button(page, 'Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
    await button(page, 'Save').click()
    await page.getByLabel('Active link').waitFor()
    await button(page, 'Withdraw link').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw link' }).click()
    await page.getByLabel('Active link').waitFor({ state: 'detached' })
    const person = await visit(new URL(url).pathname)
    await title(person, 'Not found').waitFor()
  })

  test('is deleted after a question that names it and its price', async () => {
    const { id, email } = await makeUser('Gone', uniqueWord())
    const page = await visitAs(owner, `/user/${id}`)
    await button(page, 'Delete…').click()
    const dialog = page.getByRole('dialog', { name: `Delete ${email}?` })
    await dialog.getByText(/CHF\s6\.93 a month are saved/).waitFor()
    await expectNoFindings(page, 'delete dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(path(page)).toBe(`/user/${id}`)
    await button(page, 'Delete…').click()
    await dialog.getByRole('button', { name: 'Delete user' }).click()
    await toast(page, 'The user has been deleted.').waitFor()
    await title(page, 'Users').waitFor()
    await page.getByLabel('Search users').fill(email)
    await page.getByText(`Nothing matches “${email}”`).waitFor()
    await page.goto(`/user/${id}`)
    await title(page, 'Not found').waitFor()
  })

  test.each(['nonsense', '0', '4294967295'])('that is none, %s, is not found', async (id) => {
    const page = await visitAs(owner, `/user/${id}`)
    await title(page, 'Not found').waitFor()
  })
})

describe('the own account', () => {
  test('of a member has what a member may do', async () => {
    const page = await visitAs('jane@acme.test', '/settings')
    await title(page, 'My account').waitFor()
    await page.getByText(/^Jane Favre · jane@acme\.test · customer [\d\s]+$/).waitFor()
    const tabs = await page.getByRole('tab').allInnerTexts()
    expect(tabs).toContain('Personal')
    expect(tabs).not.toContain('History')
    await page.getByText('jane.favre@acme.test').waitFor()
    for (const name of ['Add', 'One-time link', 'Delete account…']) {
      expect(await button(page, name).count(), name).toBe(0)
    }
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.goto('/users')
    await title(page, 'Access denied').waitFor()
    await page.goto('/user/new')
    await title(page, 'Access denied').waitFor()
  })

  test('changes its password and stays signed in', async () => {
    const { email } = await makeUser('Self', uniqueWord())
    const page = await visitAs(email, '/settings')
    await title(page, 'My account').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('Neugasse-11')
    await page.getByLabel('Repeat password').fill('Neugasse-11')
    await button(page, 'Save').click()
    await toast(page, 'The user has been updated.').waitFor()
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await page.reload()
    await title(page, 'My account').waitFor()
    const again = await visit('/login')
    await signIn(again, email, 'Neugasse-11')
  })

  test('is deleted only when its address was typed', async () => {
    const page = await visitAs('solo@example.test', '/settings')
    await button(page, 'Delete account…').click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account solo@example.test?' })
    const confirm = dialog.getByRole('button', { name: 'Delete account' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel(/^Type/).fill('solo@example.test')
    expect(await confirm.isDisabled()).toBe(false)
    await expectNoFindings(page, 'delete account')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(path(page)).toBe('/settings')
  })
})

test('a degraded account adds nobody', async () => {
  const page = await visitAs('degraded@example.test', '/users')
  await table(page).waitFor()
  expect(await page.getByRole('link', { name: 'New user' }).count()).toBe(0)
  await page.goto('/user/new')
  await page.getByText('No new users for now').waitFor()
})

describe.each(['light', 'dark'] as const)('in %s colours axe finds nothing on', (colorScheme) => {
  test.each([
    ['wide', desktop],
    ['narrow', phone],
  ])('any screen of users, %s', async (_, viewport) => {
    const { id } = await makeUser('Axe', uniqueWord())
    const page = await visitAs(owner, '/users', { viewport, colorScheme })
    await table(page).getByRole('link').first().waitFor()
    await expectNoFindings(page, 'users')
    await page.goto('/users?search=nobody-has-this-name&status=active')
    await page.getByText(/^Nothing matches/).waitFor()
    await expectNoFindings(page, 'users, nothing found')
    await page.goto('/user/new')
    await page.getByText('Due now').waitFor()
    await expectNoFindings(page, 'new user')
    await page.goto(`/user/${id}`)
    await page.getByText('Due now').waitFor()
    await page.getByRole('checkbox', { name: 'Second factor' }).check()
    await button(page, 'One-time link').click()
    await page.getByLabel('Link to set the password').waitFor()
    await expectNoFindings(page, 'user with changes')
    await page.getByRole('tab', { name: 'Personal' }).click()
    await page.getByLabel('Phone').waitFor()
    await expectNoFindings(page, 'personal')
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('User created').waitFor()
    await expectNoFindings(page, 'history')
    const own = await visitAs('jane@acme.test', '/settings', { viewport, colorScheme })
    await title(own, 'My account').waitFor()
    await expectNoFindings(own, 'own account')
  })
})
