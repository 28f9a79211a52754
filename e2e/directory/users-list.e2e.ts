import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { mailTo } from '../support/mail.ts'
import { type MadeUser, makeUser, owner, ownerToken, send } from '../support/users.ts'

const { visitAs } = useVisitor()

/** Part of the names of this file's users, to find them in the list. */
const mark = randomBytes(4).toString('hex')
let anna: MadeUser
let bert: MadeUser

beforeAll(async () => {
  anna = await makeUser('Anna', mark)
  bert = await makeUser('Bert', mark)
  await send(`/api/v4/users/${anna.id}`, {
    token: await ownerToken(),
    body: { external_email: `${mark}@elsewhere.test` },
    method: 'PUT',
  })
})

const row = (page: Page, email: string) =>
  page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: email })
const dialog = (page: Page) => page.getByRole('dialog')
const toast = (page: Page, text: string) => page.locator('.toast').getByText(text).first()
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const openMenu = (page: Page, email: string) =>
  page.getByRole('button', { name: `Actions for ${email}` }).click()
const choose = (page: Page, name: string) => page.getByRole('menuitem', { name }).click()

describe('the list of users', () => {
  test('shows subscriptions, cost and last sign-in of each user, with a total', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await page.getByText(/^\d+ users in \d+ domains? · CHF\s[\d.’']+ a month$/).waitFor()
    const cells = row(page, anna.email).getByRole('cell')
    await expect
      .poll(() => cells.allInnerTexts())
      .toContainEqual(expect.stringContaining('Groupware account'))
    const texts = await cells.allInnerTexts()
    expect(texts).toContainEqual(expect.stringMatching(/^CHF\s6\.93$/))
    // Anna has never signed in and has no files
    expect(texts.filter((text) => text === '–')).toHaveLength(2)
    expect(texts).toContain('Off')
    await page.getByLabel('Search users').fill(owner)
    await expect.poll(() => row(page, owner).innerText()).toMatch(/this minute|now|seconds? ago|minutes? ago/)
  })

  test('suspends a user from the menu of the row, takes that back, and resumes', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await openMenu(page, bert.email)
    await expectNoFindings(page)
    await choose(page, 'Suspend…')
    await dialog(page)
      .getByRole('heading', { name: `Suspend ${bert.email}?` })
      .waitFor()
    await dialog(page).getByText('charges continue').waitFor()
    await expectNoFindings(page)
    await dialog(page)
      .getByRole('button', { name: `Suspend ${bert.email}` })
      .click()
    await toast(page, `Suspended ${bert.email}.`).waitFor()
    await row(page, bert.email).getByText('Suspended').waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await row(page, bert.email).getByText('Suspended').waitFor({ state: 'detached' })

    await openMenu(page, bert.email)
    await choose(page, 'Suspend…')
    await dialog(page)
      .getByRole('button', { name: `Suspend ${bert.email}` })
      .click()
    await row(page, bert.email).getByText('Suspended').waitFor()
    await openMenu(page, bert.email)
    expect(await page.getByRole('menuitem', { name: 'Suspend…' }).count()).toBe(0)
    await choose(page, 'Resume…')
    await dialog(page)
      .getByRole('button', { name: `Resume ${bert.email}` })
      .click()
    await row(page, bert.email).getByText('Suspended').waitFor({ state: 'detached' })
  })

  test('mails a password link to users with a private address, and offers it only for them', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    await openMenu(page, bert.email)
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Edit', 'Suspend…', 'Delete…'])
    await page.keyboard.press('Escape')
    await openMenu(page, anna.email)
    await choose(page, 'Send password link…')
    await dialog(page)
      .getByRole('button', { name: `Send links to ${anna.email}` })
      .click()
    await toast(page, `Password link sent to ${anna.email}.`).waitFor()
    const text = async () => (await mailTo(`${mark}@elsewhere.test`)).text
    await expect.poll(text).toContain('Someone who manages your account')
  })

  test('does the same for several users, and shows who is skipped', async () => {
    const page = await visitAs(owner, `/users?search=${mark}`)
    const boxes = page.getByRole('table', { name: 'Users' }).getByRole('checkbox')
    await boxes.first().click()
    await bar(page).getByText('2 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Password links…' }).click()
    await dialog(page).getByText('1 of 2 items will be changed.').waitFor()
    await dialog(page).getByText('This user has no external e-mail address.').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await bar(page).getByRole('button', { name: 'Suspend…' }).click()
    await dialog(page).getByRole('button', { name: 'Suspend 2 users' }).click()
    await toast(page, 'Suspended 2 users.').waitFor()
    await page.getByLabel('Status').selectOption('Suspended')
    await page.getByText('1–2 of 2').waitFor()
    await boxes.first().click()
    await bar(page).getByRole('button', { name: 'Resume…' }).click()
    await dialog(page).getByRole('button', { name: 'Resume 2 users' }).click()
    await toast(page, 'Resumed 2 users.').waitFor()
  })

  test('deletes a user from the menu and restores them, and keeps its filter', async () => {
    const gone = await makeUser('Gone', mark)
    const page = await visitAs(owner, `/users?search=${mark}`)
    await openMenu(page, gone.email)
    await choose(page, 'Delete…')
    await dialog(page)
      .getByRole('heading', { name: `Delete ${gone.email}?` })
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Delete user' }).click()
    await row(page, gone.email).waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe(`?search=${mark}`)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await row(page, gone.email).waitFor()
  })

  test.each([
    ['wide', desktop],
    ['narrow', phone],
  ])('has no findings and does not scroll sideways on a %s screen', async (_name, viewport) => {
    const page = await visitAs(owner, `/users?search=${mark}`, { viewport })
    await row(page, anna.email).getByText('Groupware account').waitFor()
    await expectNoFindingsInAnyColour(page)
    const [scrollWidth, clientWidth] = await page.evaluate(() => {
      const { documentElement } = document
      return [documentElement.scrollWidth, documentElement.clientWidth] as const
    })
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  })
})
