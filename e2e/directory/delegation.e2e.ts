import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { makeUser, owner } from '../support/users.ts'

const visitor = useVisitor()

const path = '/settings?tab=delegation'

const visitAs = (email: string, options: VisitOptions = {}) => visitor.visitAs(email, path, options)
const panel = (page: Page, name: string) => page.getByRole('region', { name })
const add = (page: Page) => page.getByRole('button', { name: 'Add delegate…' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a delegate' })
const person = (page: Page) => page.getByRole('combobox', { name: 'Person' })
const given = (page: Page, email: string) =>
  panel(page, 'Who can act for you').getByRole('row', { name: new RegExp(email.replaceAll('.', '\\.')) })

describe('a delegate', () => {
  test('is found by name, made an assistant, visible from the other side, removed and brought back', async () => {
    const ned = await makeUser('Ned', 'Zwyssig')
    const page = await visitor.visitAs(owner, '/settings')
    await page.getByRole('tab', { name: 'Delegation' }).click()
    await add(page).click()
    await person(page).fill('ned')
    await dialog(page)
      .getByRole('option', { name: `Ned Zwyssig ${ned.email}` })
      .click()
    expect(await person(page).inputValue()).toBe(ned.email)
    await dialog(page)
      .getByRole('radio', { name: /^Assistant/ })
      .check()
    await dialog(page).getByRole('button', { name: 'Add delegate' }).click()
    const row = given(page, ned.email)
    await row.getByText('Can edit mail, calendar, tasks and contacts').waitFor()
    await row.getByText('Can send mail as owner@acme.test').waitFor()

    const other = await visitAs(ned.email)
    await panel(other, 'Who you can act for')
      .getByRole('row', { name: /owner@acme\.test.*Assistant/ })
      .waitFor()

    await row.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove delegate' }).click()
    await row.waitFor({ state: 'detached' })

    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await row.getByText('Can edit mail, calendar, tasks and contacts').waitFor()
    await row.getByText('Can send mail as owner@acme.test').waitFor()
  })

  test('is added as a deputy with the keyboard only', async () => {
    const { email } = await makeUser('Dora', 'Quellmann')
    const page = await visitAs(owner)
    const { keyboard } = page
    await add(page).focus()
    await keyboard.press('Enter')
    await person(page).waitFor()
    await expect.poll(() => person(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await keyboard.type('quellmann')
    await page.getByRole('option').waitFor()
    await keyboard.press('Enter')
    expect(await person(page).inputValue()).toBe(email)
    await keyboard.press('Enter')
    const row = given(page, email)
    await row.getByText('Deputy').waitFor()
    await row.getByText('Can view mail, calendar, tasks and contacts').waitFor()
  })

  test('has individual rights that can be changed', async () => {
    const { email } = await makeUser('Cleo', 'Custom')
    const page = await visitAs(email)
    expect(await page.getByRole('tab', { name: 'Settings' }).count()).toBe(0)
    await add(page).click()
    await person(page).fill('owner@acme.test')
    await dialog(page)
      .getByRole('radio', { name: /^Custom/ })
      .check()
    for (const kind of ['Mail', 'Calendar', 'Tasks', 'Contacts'])
      await dialog(page).getByLabel(kind, { exact: true }).selectOption('None')
    await dialog(page).getByRole('button', { name: 'Add delegate' }).click()
    await dialog(page).getByText('Select at least one right.').waitFor()
    await dialog(page).getByLabel('Mail', { exact: true }).selectOption('Can view')
    await dialog(page).getByRole('button', { name: 'Add delegate' }).click()
    const row = given(page, 'owner@acme.test')
    await row.getByText('Can view mail', { exact: true }).waitFor()

    await row.getByRole('button', { name: /^Change rights of/ }).click()
    const edit = page.getByRole('dialog', { name: /^Rights of / })
    expect(await edit.getByRole('radio', { name: /^Custom/ }).isChecked()).toBe(true)
    await edit.getByLabel('Calendar', { exact: true }).selectOption('Can edit')
    await edit.getByRole('checkbox', { name: `Can send mail as ${email}` }).check()
    await edit.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Can edit calendar').waitFor()
    await row.getByText(`Can send mail as ${email}`).waitFor()
  })

  test('is rejected at the field with a way to fix it', async () => {
    const page = await visitAs(owner)
    await add(page).click()
    await person(page).fill('zzyzx')
    await dialog(page).getByText('No one found. Type a full address.').first().waitFor()
    await dialog(page).getByRole('button', { name: 'Add delegate' }).click()
    const error = page.locator('#delegation-email-error')
    await error.getByText('Choose a person from the list or type a full address.').waitFor()
    await person(page).fill('nobody@acme.test')
    await dialog(page).getByRole('button', { name: 'Add delegate' }).click()
    await error.getByText('Choose a person').waitFor({ state: 'detached' })
    await error.waitFor()
  })
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('axe finds nothing on the %s', (_, viewport) => {
  test.each(['light', 'dark'] as const)('in the %s scheme', async (colorScheme) => {
    const page = await visitAs(owner, { viewport, colorScheme })
    await add(page).first().waitFor()
    await expectNoFindings(page, 'delegation')
    await add(page).first().click()
    await dialog(page).getByRole('button', { name: 'Add delegate' }).click()
    await expectNoFindings(page, 'add delegate')
    await person(page).fill('n')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await expectNoFindings(page, 'people to choose from')
    const { width } = viewport
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await page.keyboard.press('Escape')
    await dialog(page)
      .getByRole('radio', { name: /^Custom/ })
      .check()
    await expectNoFindings(page, 'custom rights')
  })
})
