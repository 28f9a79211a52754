import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { linkIn, mailTo } from '../support/mail.ts'
import { uniqueWord } from '../support/signup.ts'
import { owner } from '../support/users.ts'

const { visit, visitAs } = useVisitor()

const rows = (page: Page) => page.locator('main').getByRole('group', { name: /^(?:Row )?\d+/ })
const row = (page: Page, at: number) => rows(page).nth(at - 1)
const field = (page: Page, at: number, name: string) => row(page, at).getByLabel(name, { exact: true })
const create = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Pastes text into a field, as the keyboard would. */
function paste(page: Page, at: number, name: string, text: string): Promise<unknown> {
  return field(page, at, name).evaluate((input, pasted) => {
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)
}

describe('adding people', () => {
  test('creates the entered users, shows links once and mails the others', async () => {
    const [ann, bob] = [uniqueWord('ann'), uniqueWord('bob')]
    const page = await visitAs(owner, '/users')
    await page.getByRole('link', { name: 'Add people' }).click()
    await title(page, 'Add people').waitFor()
    await expect.poll(() => rows(page).count()).toBe(3)
    await field(page, 1, 'First name').fill('Ann')
    await field(page, 1, 'E-mail address').fill(ann)
    await field(page, 1, 'External e-mail').fill(`${ann}@elsewhere.test`)
    expect(await field(page, 1, 'E-mail address').inputValue()).toBe(`${ann}@acme.test`)
    await field(page, 2, 'First name').fill('Bob')
    await field(page, 2, 'E-mail address').fill(`${bob}@acme.test`)
    await row(page, 1)
      .getByText(/CHF\s6\.93/)
      .waitFor()
    await page.getByText(/2 users · CHF\s13\.86 a month/).waitFor()
    await page.getByText(/^Your account: CHF/).waitFor()
    // a double click creates them once
    await create(page, 'Create 2 users').dblclick()
    await page.getByText('2 users created').waitFor()
    await page.getByText(`Password link sent to ${ann}@elsewhere.test`).waitFor()
    await expectNoFindings(page)
    const url = await page.getByLabel(`Password link for ${bob}@acme.test`).inputValue()
    for (const path of [
      new URL(url).pathname,
      linkIn(await mailTo(`${ann}@elsewhere.test`), '/password-reset/'),
    ]) {
      const person = await visit(path)
      await person.getByLabel('Confirm password').waitFor()
    }
    await page.getByRole('link', { name: 'Go to users' }).click()
    await page.getByLabel('Search users').fill(ann)
    await page.getByText('1–1 of 1').waitFor()
  })

  test('accepts pasted spreadsheet rows with a header', async () => {
    const mark = uniqueWord('paste')
    const page = await visitAs(owner, '/users/add')
    await field(page, 1, 'First name').waitFor()
    const people = Array.from(
      { length: 5 },
      (_, at) => `Paste${at}\tRow\t${mark}${at}@acme.test\tMail account`,
    )
    await paste(page, 1, 'First name', ['First name\tLast name\tE-mail\tPackage', ...people].join('\n'))
    await expect.poll(() => rows(page).count()).toBe(5)
    expect(await field(page, 5, 'E-mail address').inputValue()).toBe(`${mark}4@acme.test`)
    await page.getByText(/5 users · CHF\s17\.50 a month/).waitFor()
    await create(page, 'Create 5 users').click()
    await page.getByText('5 users created').waitFor()
    await page.getByRole('button', { name: 'Copy all links' }).waitFor()
    // the form is ready for the next users
    expect(await rows(page).count()).toBe(3)
    expect(await field(page, 1, 'E-mail address').inputValue()).toBe('')
  })

  test('shows errors at their fields and creates no users', async () => {
    const page = await visitAs(owner, '/users/add')
    await field(page, 1, 'First name').fill('Twice')
    const twice = `${uniqueWord('twice')}@acme.test`
    await field(page, 1, 'E-mail address').fill(twice)
    await field(page, 2, 'E-mail address').fill(twice)
    await field(page, 3, 'E-mail address').fill('jane@acme.test')
    await field(page, 3, 'Storage (GB)').fill('100000')
    await field(page, 3, 'External e-mail').fill('nowhere')
    await field(page, 3, 'First name').focus()
    await row(page, 2).getByText(`“${twice}” is already in row 1.`).waitFor()
    await create(page, 'Create 3 users').click()
    for (const [at, name] of [
      [2, 'E-mail address'],
      [3, 'E-mail address'],
      [3, 'External e-mail'],
    ] as const) {
      await expect.poll(() => field(page, at, name).getAttribute('aria-invalid')).toBe('true')
    }
    await expect
      .poll(() => field(page, 2, 'E-mail address').evaluate((input) => input === document.activeElement))
      .toBe(true)
    await expectNoFindings(page)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Stay here' }).waitFor()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Leave/ })
      .click()
    await page.getByLabel('Search users').fill(twice)
    await page
      .getByText(/^No matches|^Nothing matches/)
      .first()
      .waitFor()
  })

  test('shows an empty state and works without a mouse', async () => {
    const login = uniqueWord('keys')
    const page = await visitAs(owner, '/users/add')
    await create(page, 'Create users').click()
    await page.getByText('Enter at least one person.').waitFor()
    await field(page, 3, 'First name').focus()
    await page.keyboard.type('Keys')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type(login)
    await page.keyboard.press('Enter')
    await expect.poll(() => rows(page).count()).toBe(4)
    await expect
      .poll(() => field(page, 4, 'First name').evaluate((input) => input === document.activeElement))
      .toBe(true)
    await page.keyboard.press('ArrowUp')
    expect(await field(page, 3, 'First name').evaluate((input) => input === document.activeElement)).toBe(
      true,
    )
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 user created').waitFor()
  })

  test.each([
    ['wide', desktop],
    ['narrow', phone],
  ])('has no findings and does not scroll sideways on a %s screen', async (_name, viewport) => {
    const page = await visitAs(owner, '/users/add', { viewport })
    await field(page, 1, 'First name').fill('Ann')
    await field(page, 1, 'E-mail address').fill('not an address')
    await field(page, 1, 'Last name').focus()
    await field(page, 1, 'E-mail address').and(page.locator('[aria-invalid="true"]')).waitFor()
    await expectNoFindingsInAnyColour(page)
    const [scrollWidth, clientWidth] = await page.evaluate(() => {
      const { documentElement } = document
      return [documentElement.scrollWidth, documentElement.clientWidth] as const
    })
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    await field(page, 1, 'First name').fill('')
    await field(page, 1, 'E-mail address').fill('')
  })
})

test("an account that has to be paid first can't add users", async () => {
  const page = await visitAs('degraded@example.test', '/users/add')
  await page.getByText('Payment needed').waitFor()
  expect(await page.locator('main').getByRole('textbox').count()).toBe(0)
})
