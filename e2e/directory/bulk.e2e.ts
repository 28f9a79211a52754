import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { makeList } from '../support/directory.ts'
import { uniqueWord } from '../support/signup.ts'
import { makeUser, owner } from '../support/users.ts'

const { visit, visitAs } = useVisitor()

/** Part of the names of this file's users, to find them in the list. */
const mark = randomBytes(4).toString('hex')

beforeAll(async () => {
  for (let number = 10; number < 34; number += 1) await makeUser(`Many${number}`, mark)
})

const table = (page: Page) => page.getByRole('table', { name: 'Users' })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const dialog = (page: Page) => page.getByRole('dialog')
const toast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text).first()
const box = (page: Page, at: number) => table(page).getByRole('checkbox').nth(at)

/** The name and text of the file that a click downloads. */
async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: file.suggestedFilename(), text: (await buffer(await file.createReadStream())).toString() }
}

describe('selecting rows', () => {
  test('works by checkbox, range, page and all matches, and is cleared by another search', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await box(page, 2).click()
    await bar(page).getByText('1 selected').waitFor()
    await box(page, 5).click({ modifiers: ['Shift'] })
    await bar(page).getByText('4 selected').waitFor()
    await box(page, 0).click()
    await bar(page).getByText('20 selected').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('21–24 of 24').waitFor()
    await bar(page).getByText('20 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Select all 24' }).click()
    await bar(page).getByText('24 selected').waitFor()
    await page.getByLabel('Search users').fill(`${mark} nobody`)
    await page.getByText(/^No matches/).waitFor()
    expect(await bar(page).count()).toBe(0)
  })

  test('works by keyboard, Escape clears it, and row links still work', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await box(page, 1).focus()
    await page.keyboard.press('Space')
    await bar(page).getByText('1 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
    await table(page)
      .getByRole('row')
      .nth(2)
      .click({ position: { x: 500, y: 20 } })
    await page.waitForURL(/\/user\/\d+$/)
  })
})

describe('many users', () => {
  test('are deleted after a preview of the cost, listed under "Deleted" and restored', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await box(page, 1).click()
    await box(page, 3).click({ modifiers: ['Shift'] })
    await bar(page).getByRole('button', { name: 'Delete…' }).click()
    await dialog(page).getByRole('heading', { name: 'Delete 3 users?' }).waitFor()
    await dialog(page).getByText('3 of 3 items will be changed.').waitFor()
    await dialog(page).getByText('Monthly cost after').waitFor()
    await expectNoFindings(page)
    await dialog(page).getByRole('button', { name: 'Delete 3 users' }).click()
    await toast(page, 'Deleted 3 users.').waitFor()
    await page.getByText('1–20 of 21').waitFor()

    await page.getByLabel('Status').selectOption('Deleted')
    await page.getByText('1–3 of 3').waitFor()
    expect(await table(page).getByRole('link').count()).toBe(0)
    await expectNoFindings(page)
    await table(page)
      .getByRole('button', { name: /^Restore / })
      .first()
      .click()
    await page.getByText('1–2 of 2').waitFor()
    await box(page, 0).click()
    await bar(page).getByRole('button', { name: 'Restore…' }).click()
    await dialog(page).getByRole('button', { name: 'Restore 2 users' }).click()
    await toast(page, 'Restored 2 users.').waitFor()
    await page.goto(`/users?search=${mark}`)
    await page.getByText('1–20 of 24').waitFor()
  })

  test('if one is the owner, the preview says who is skipped and why', async () => {
    const page = await visitAs(owner, '/users?search=owner@acme.test')
    await box(page, 1).click()
    await bar(page).getByRole('button', { name: 'Delete…' }).click()
    await dialog(page).getByText('None of the 1 items can be changed.').waitFor()
    await dialog(page).getByText('You can’t delete yourself here.').waitFor()
    expect(await dialog(page).getByRole('button', { name: 'Delete 0 users' }).isDisabled()).toBe(true)
  })

  test('are added to a list, and each result stays visible', async () => {
    const list = await makeList(uniqueWord('Team'), ['jane@acme.test'])
    const page = await visitAs(owner, `/users?search=${mark}`)
    await box(page, 1).click()
    await bar(page).getByRole('button', { name: 'Select all 24' }).click()
    await bar(page).getByRole('button', { name: 'Add to list…' }).click()
    await dialog(page).getByLabel('Distribution list').selectOption(`${list.name} – ${list.email}`)
    await dialog(page).getByRole('button', { name: 'Add 24 users' }).click()
    await toast(page, 'Added 24 users to the list.').waitFor()
    await page.goto(`/distlist/${list.id}`)
    await page.getByText(/25 members/).waitFor()
    await page.goto('/import')
    await page.getByRole('link', { name: 'Add 24 users to a list' }).first().click()
    await page.waitForURL(/\/batch\//)
    await page.getByText('1–20 of 24').waitFor()
    await expectNoFindings(page)
  })

  test('change package after a preview of the price', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await box(page, 4).click()
    await box(page, 5).click()
    await bar(page).getByRole('button', { name: 'Package…' }).click()
    await dialog(page).getByRole('radio').last().check()
    await dialog(page).getByText('2 of 2 items will be changed.').waitFor()
    await dialog(page).getByRole('button', { name: 'Apply to 2 users' }).click()
    await toast(page, 'Changed the package of 2 users.').waitFor()
  })
})

test('one user is deleted, then restored from the toast', async () => {
  const { id, email } = await makeUser('Undone', uniqueWord('Undo'))
  const page = await visitAs(owner, `/user/${id}`)
  await page.locator('main').getByRole('button', { name: 'Delete…' }).click()
  await dialog(page).getByRole('button', { name: 'Delete user' }).click()
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await page.goto(`/users?search=${email}`)
  await table(page).getByRole('link').waitFor()
})

describe('lists and domains', () => {
  test('are deleted in bulk too', async () => {
    const word = uniqueWord('Both')
    await makeList(`${word} one`, ['jane@acme.test'])
    await makeList(`${word} two`, ['jane@acme.test'])
    const page = await visitAs(owner, `/distlists?search=${word}`)
    const lists = page.getByRole('table', { name: 'Lists' })
    await lists.getByRole('checkbox', { name: 'Select this page' }).check()
    await bar(page).getByRole('button', { name: 'Delete…' }).click()
    await dialog(page).getByRole('button', { name: 'Delete 2 lists' }).click()
    await toast(page, 'Deleted 2 lists.').waitFor()
    await page.getByText(`No matches for “${word}”`).waitFor()
  })

  test('are exported with the current filter', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await page.getByText('1–20 of 24').waitFor()
    const menu = () => page.locator('main').getByRole('button', { name: 'Export' }).click()
    await menu()
    const plain = await saved(page, () => page.getByRole('menuitem', { name: 'CSV', exact: true }).click())
    expect(plain.name).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
    expect(plain.text.trim().split('\n')).toHaveLength(25)
    expect(plain.text).toContain('Many10')
    await menu()
    const excel = await saved(page, () => page.getByRole('menuitem', { name: 'CSV for Excel' }).click())
    expect(excel.text.charCodeAt(0)).toBe(0xfeff)
    await page.goto('/domains')
    await menu()
    const domains = await saved(page, () => page.getByRole('menuitem', { name: 'CSV', exact: true }).click())
    expect(domains.text).toContain('acme.test')
  })
})

describe('accessibility', () => {
  test.each([
    ['wide and light', { viewport: desktop }],
    ['narrow and dark', { viewport: phone, colorScheme: 'dark' as const }],
    ['narrow and German', { viewport: phone, locale: 'de-CH' }],
  ])('with rows chosen, %s', async (_, options) => {
    const page = await visit(`/users?search=${mark}`, options)
    await page.locator('input[type="email"], input[autocomplete*="username"]').first().fill(owner)
    await page.locator('input[type="password"]').fill('simple123')
    await page.keyboard.press('Enter')
    await page.locator('.data-box input').nth(2).check()
    await page.locator('.selection').waitFor()
    await expectNoFindings(page)
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(isWide).toBe(false)
  })
})
