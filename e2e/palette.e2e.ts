import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from './support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from './support/browser.ts'
import { makeList } from './support/directory.ts'
import { uniqueWord } from './support/signup.ts'
import { makeUser, owner } from './support/users.ts'

const visitor = useVisitor()
const { visit } = visitor

async function visitAs(email: string, path = '/dashboard', options: VisitOptions = {}): Promise<Page> {
  const page = await visitor.visitAs(email, path, options)
  await page.locator('.jump').waitFor()
  return page
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page) => palette(page).getByRole('combobox')
const options = (page: Page) => palette(page).getByRole('option')
const marked = (page: Page) => palette(page).getByRole('option', { selected: true })
const path = (page: Page) => new URL(page.url()).pathname

async function open(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await palette(page).waitFor()
}

describe('the palette', () => {
  test('opens by button and shortcut, traps the focus, and restores it', async () => {
    const page = await visitAs(owner)
    await page.locator('.jump').click()
    await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true)
    for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab']) {
      await page.keyboard.press(key)
      expect(await palette(page).evaluate((panel) => panel.contains(document.activeElement))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    const jump = page.locator('.jump')
    await expect.poll(() => jump.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('/')
    await palette(page).waitFor()
    await page.keyboard.press('Escape')
    await page.goto('/users')
    await page.getByLabel('Search users').fill('a/b')
    expect(await palette(page).count()).toBe(0)
    await open(page)
  })

  test('finds a user by name, address or alias, with the keyboard only', async () => {
    const last = uniqueWord('last')
    const { id, email } = await makeUser('Palma', last)
    const page = await visitAs(owner)
    await open(page)
    await page.keyboard.type(last.toUpperCase())
    await marked(page).getByText(email).waitFor()
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(
      await marked(page).getAttribute('id'),
    )
    await palette(page).getByRole('status').getByText('1 result').waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await title(page, `Palma ${last}`).waitFor()
    expect(path(page)).toBe(`/user/${id}`)

    await open(page)
    await palette(page).getByText('Recent').waitFor()
    expect(await options(page).first().innerText()).toContain(`Palma ${last}`)
    await page.keyboard.press('Escape')
  })

  test('finds substrings regardless of accents, filters by kind, and highlights the match', async () => {
    const word = uniqueWord('zz')
    const { email } = await makeUser('Zoé', `Müller${word}`)
    await makeList(`Großer Verteiler ${word}`, [owner])
    const page = await visitAs(owner)
    await open(page)
    await page.keyboard.type(`ULLER${word}`)
    await options(page).getByText(email).waitFor()
    await palette(page).getByRole('group', { name: 'Users' }).waitFor()
    expect(await options(page).locator('mark').allInnerTexts()).toEqual([`üller${word}`])
    await field(page).fill(`rosser verteiler ${word}`)
    await palette(page).getByRole('group', { name: 'Lists' }).getByRole('option').waitFor()
    expect(await options(page).locator('mark').allInnerTexts()).toEqual([`roßer Verteiler ${word}`])
    await field(page).fill(word)
    await expect
      .poll(() => palette(page).locator('.palette-heading').allInnerTexts())
      .toEqual(['Lists', 'Users'])
    await field(page).fill(email.slice(2, -5))
    await options(page).getByText(email).waitFor()
    expect(await options(page).locator('mark').allInnerTexts()).toEqual([email.slice(2, -5)])
  })

  test('offers recently opened items until the user signs out', async () => {
    const { id, email } = await makeUser('Rita', uniqueWord('recent'))
    const page = await visitAs(owner, `/user/${id}`)
    await page.getByText(email).first().waitFor()
    await open(page)
    await palette(page).getByRole('group', { name: 'Recent' }).getByText(email).waitFor()
    await page.keyboard.press('Escape')
    const kept = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('palette-')))
    expect(await kept()).toHaveLength(1)
    await page.goto('/logout')
    await page.getByLabel('E-mail address').waitFor()
    expect(await kept()).toEqual([])
  })

  test('applies Enter to the current input, not to an outdated result', async () => {
    const last = uniqueWord('race')
    const { id } = await makeUser('Rachel', last)
    const page = await visitAs(owner)
    await open(page)
    await page.keyboard.type('owner')
    await marked(page).getByText(owner).waitFor()
    await field(page).fill(last)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/user/${id}`)
  })

  test('shows only the result of the latest query, even if an earlier one arrives later', async () => {
    const page = await visitAs(owner)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/v4/search?q=jan', async (route) => {
      await held
      await route.continue().catch(() => undefined)
    })
    const asked = page.waitForRequest('**/api/v4/search?q=jan')
    await open(page)
    await field(page).fill('jan')
    await asked
    await field(page).fill('ned')
    await options(page).getByText('Ned Keller').waitFor()
    release()
    await page.unrouteAll({ behavior: 'wait' })
    expect(await options(page).filter({ hasText: 'Jane' }).count()).toBe(0)
    expect(await options(page).filter({ hasText: 'Ned Keller' }).count()).toBe(1)
  })

  test('moves with arrow keys, Home and End, and wraps around', async () => {
    const page = await visitAs(owner)
    await open(page)
    const count = await options(page).count()
    const place = () =>
      options(page).evaluateAll((all) => all.findIndex((one) => one.ariaSelected === 'true'))
    expect(await place()).toBe(0)
    await page.keyboard.press('ArrowUp')
    await expect.poll(place).toBe(count - 1)
    await page.keyboard.press('ArrowDown')
    await expect.poll(place).toBe(0)
    await page.keyboard.press('End')
    await expect.poll(place).toBe(count - 1)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await expect.poll(place).toBe(1)
    await page.keyboard.press('Enter')
    await title(page, 'Users').waitFor()
  })

  test('opens screens, creates objects, and changes colours and language', async () => {
    const page = await visitAs(owner)
    await open(page)
    await page.keyboard.type('polic')
    await page.keyboard.press('Enter')
    await title(page, 'Policies').waitFor()
    await open(page)
    await page.keyboard.type('new user')
    await page.keyboard.press('Enter')
    await title(page, 'New user').waitFor()
    await open(page)
    await page.keyboard.type('dark')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await open(page)
    await page.keyboard.type('deutsch')
    await page.keyboard.press('Enter')
    await title(page, 'Neuer Benutzer').waitFor()
  })

  test('says when nothing is found, and offers a retry when the search fails', async () => {
    const page = await visitAs(owner, '/dashboard', { expectedErrors: ['status of 500'] })
    await page.locator('.jump').waitFor()
    await open(page)
    await page.keyboard.type('nobody-has-this-name')
    await palette(page).getByText('No matches for “nobody-has-this-name”.', { exact: false }).waitFor()
    await page.route('**/api/v4/search?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await field(page).fill('ned')
    await palette(page).getByText('Failed to load data.').waitFor()
    await page.unroute('**/api/v4/search?*')
    await palette(page).getByRole('button', { name: 'Try again' }).click()
    await options(page).getByText('Ned Keller').waitFor()
  })
})

test('a member finds only what they may see', async () => {
  const page = await visitAs('jane@acme.test')
  await open(page)
  await page.keyboard.type('acme')
  await options(page).getByText('Jane Favre').waitFor()
  // herself and the room that she moderates, but no other room or user of the organisation
  expect(await options(page).locator('.palette-name').allInnerTexts()).toEqual([
    'Daily stand-up',
    'Jane Favre',
  ])
  await field(page).fill('user')
  await palette(page).getByText('No matches for', { exact: false }).waitFor()
  await field(page).fill('jane')
  await options(page).getByText('Jane Favre').click()
  await title(page, 'My account').waitFor()
})

test('visitors who are not signed in have no palette', async () => {
  const page = await visit('/login')
  await page.getByLabel('E-mail address').waitFor()
  expect(await page.locator('.jump').count()).toBe(0)
  await page.locator('h1').click()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('/')
  expect(await palette(page).count()).toBe(0)
})

describe.each(['light', 'dark'] as const)('in %s colours axe finds nothing on', (colorScheme) => {
  test.each([
    ['wide', desktop],
    ['narrow', phone],
  ])('the palette, %s', async (_, viewport) => {
    const page = await visitAs(owner, '/dashboard', { viewport, colorScheme })
    await page.locator('.jump').click()
    await palette(page).waitFor()
    await expectNoFindings(page, 'palette')
    await field(page).fill('acme')
    await palette(page).getByRole('group', { name: 'Domains' }).waitFor()
    await expectNoFindings(page, 'palette with results')
    await field(page).fill('nobody-has-this-name')
    await palette(page).getByText('No matches for', { exact: false }).waitFor()
    await expectNoFindings(page, 'palette without results')
  })
})
