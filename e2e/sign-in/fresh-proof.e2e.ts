import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useVisitor } from '../support/browser.ts'
import { act, ageProofOf, dialog, panel } from '../support/factors.ts'
import { portal } from '../support/portal.ts'
import { useRelyingParty } from '../support/relying-party.ts'
import { demoPassword, strongPassword, variantUrl } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { makeUser, owner } from '../support/users.ts'

/** Forms that require recent authentication when submitted: input survives the dialog. */

const { visitAs } = useVisitor()
const app = useRelyingParty('Wiki')

const question = 'Confirm it’s you'
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const save = (page: Page) => button(page.locator('main'), 'Save')
const notice = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** Cancels the first prompt, which changes nothing, and completes the second. */
async function proveOnSecondTry(
  page: Page,
  send: () => Promise<void>,
  typed: () => Promise<string>,
  password = demoPassword,
) {
  const before = await typed()
  await ageProofOf(page)
  await send()
  await dialog(page, question).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page, question).waitFor({ state: 'detached' })
  expect(await typed()).toBe(before)
  await send()
  await dialog(page, question).getByLabel('Your password').fill(password)
  await act(dialog(page, question), 'Confirm')
  await dialog(page, question).waitFor({ state: 'detached' })
}

describe('eleven minutes after the sign-in', () => {
  test('a user with a password is created after the owner confirms', async () => {
    const login = uniqueWord('fresh')
    const page = await visitAs(owner, '/user/new')
    await page.getByLabel('First name').fill('Frida')
    await page.getByLabel('E-mail address').fill(login)
    await page.getByLabel('Password', { exact: true }).fill('Lindenhof-42')
    await page.getByLabel('Confirm password').fill('Lindenhof-42')
    const typed = () => page.getByLabel('Password', { exact: true }).inputValue()
    await proveOnSecondTry(page, () => button(page, 'Create user').click(), typed)
    await notice(page, 'The user has been created.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Frida' }).waitFor()
  })

  test('a delegate is added', async () => {
    const { email } = await makeUser('Dele', 'Gate')
    const page = await visitAs(email, '/settings?tab=delegation')
    await button(page, 'Add delegate…').click()
    const add = page.getByRole('dialog', { name: 'Add a delegate' })
    await add.getByLabel('Person').fill('jane@acme.test')
    const typed = () => add.getByLabel('Person').inputValue()
    await proveOnSecondTry(page, () => button(add, 'Add delegate').click(), typed, strongPassword)
    await panel(page, 'Who can act for you')
      .getByRole('row', { name: /jane@acme\.test/ })
      .waitFor()
  })

  test('a geo-lock is set', async () => {
    const { id } = await makeUser('Geo', 'Lock')
    const page = await visitAs(owner, `/user/${id}?tab=settings`)
    await page.getByRole('button', { name: /^Allowed countries/ }).click()
    const picker = dialog(page, 'Allowed countries')
    await picker.getByRole('option', { name: 'Switzerland' }).press('Enter')
    await button(picker, 'Save').click()
    const form = panel(page, 'Sign-in and access')
    const typed = () => page.getByRole('button', { name: /^Allowed countries/ }).innerText()
    await proveOnSecondTry(page, () => save(page).click(), typed)
    await form.getByText('In effect: sign-in from Switzerland only.').waitFor()
  })

  test('a password policy is saved', async () => {
    const page = await visitAs(owner, '/policies')
    const length = page.getByLabel('Maximum length')
    const before = await length.inputValue()
    await length.fill('222')
    await proveOnSecondTry(
      page,
      () => save(page).click(),
      () => length.inputValue(),
    )
    await notice(page, 'Success').waitFor()
    await length.fill(before)
    await save(page).click()
    await save(page).waitFor({ state: 'detached' })
  })

  test('a file of users is uploaded', async () => {
    const word = uniqueWord('file')
    const page = await visitAs(owner, '/import?kind=users')
    const entry = page.getByLabel('Drop a CSV file here or choose one')
    await entry.and(page.locator(':enabled')).waitFor()
    await ageProofOf(page)
    const text = `email,first_name,package,password\n${word}@acme.test,${word},kolab,Lindenhof-42\n`
    await entry.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await dialog(page, question).getByLabel('Your password').fill(demoPassword)
    await act(dialog(page, question), 'Confirm')
    await page.waitForURL(/\/import\/[0-9a-f-]{36}$/)
    await button(page, 'Import 1 user').waitFor()
  })

  test('an application with the scope api is allowed', async () => {
    const page = await visitAs(owner, '/dashboard')
    await page.goto(app().authorize({ scope: 'openid api' }))
    const claims = () => page.locator('main').getByRole('list').innerText()
    await proveOnSecondTry(page, () => button(page, 'Allow').click(), claims)
    await page.waitForURL((url) => url.origin === app().url)
    expect(app().last()?.fields).toMatchObject({ code: expect.any(String) })
  })

  test('a customer is suspended with the reason that was typed', async () => {
    const { id, email } = await makeUser('Sus', 'Fresh')
    const page = await visitAs('admin@example.test', variantUrl(portal.appUrl, 'admin', `/user/${id}`))
    await button(page, 'Suspend…').click()
    const box = dialog(page, `Suspend ${email}?`)
    await box.getByLabel('Reason').selectOption('Abuse, for example spam')
    await box.getByLabel('Comment').fill('412 mails in ten minutes')
    const typed = () => box.getByLabel('Comment').inputValue()
    await proveOnSecondTry(page, () => button(box, 'Suspend').click(), typed)
    await box.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('412 mails in ten minutes').waitFor()
  })
})
