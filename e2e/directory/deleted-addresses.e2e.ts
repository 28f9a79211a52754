import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { useVisitor } from '../support/browser.ts'
import { makeFolder, makeList } from '../support/directory.ts'
import { strongPassword } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { makeUser, owner, ownerToken, send } from '../support/users.ts'

const { visitAs } = useVisitor()

const dialog = (page: Page, address: string) => page.getByRole('dialog', { name: `${address} is taken` })
const press = (page: Page, name: string) => page.locator('main').getByRole('button', { name }).click()

async function remove(path: string): Promise<void> {
  await send(path, { token: await ownerToken(), method: 'DELETE' })
}

async function fillUser(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Second')
  await page.getByLabel('E-mail address').fill(email.split('@')[0] ?? '')
  await page.getByLabel('Password', { exact: true }).fill(strongPassword)
  await page.getByLabel('Confirm password').fill(strongPassword)
}

describe('a new user with the address of a deleted one', () => {
  test('is created once the address is released', async () => {
    const { id, email } = await makeUser('First', 'Gone')
    await remove(`/api/v4/users/${id}`)
    const page = await visitAs(owner, '/user/new')
    await fillUser(page, email)
    await press(page, 'Create user')
    await dialog(page, email).getByText('deletes it permanently').waitFor()
    await expectNoFindings(page, 'deleted address')
    await dialog(page, email).getByRole('button', { name: 'Release and create' }).click()
    await page.waitForURL((url) => /^\/user\/\d+$/.test(url.pathname))
    expect(page.url()).not.toContain(String(id))
    await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
  })

  test('can be the restored deleted user instead', async () => {
    const { id, email } = await makeUser('First', 'Back')
    await remove(`/api/v4/users/${id}`)
    const page = await visitAs(owner, '/user/new')
    await fillUser(page, email)
    await press(page, 'Create user')
    await dialog(page, email).getByRole('button', { name: 'Restore' }).click()
    await page.waitForURL(`**/user/${id}`)
    await page.getByRole('heading', { level: 1, name: 'First Back' }).waitFor()
  })
})

test('a new list can take the address of a deleted one', async () => {
  const list = await makeList(uniqueWord('Gone'), ['jane@acme.test'])
  await remove(`/api/v4/groups/${list.id}`)
  const page = await visitAs(owner, '/distlist/new')
  await page.getByLabel('Name', { exact: true }).fill(uniqueWord('Next'))
  await page.getByLabel('Address', { exact: true }).fill(list.email)
  await page.getByLabel('Members: new entry').fill('jane@acme.test')
  await press(page, 'Create list')
  await dialog(page, list.email).getByText(list.name).first().waitFor()
  await dialog(page, list.email).getByRole('button', { name: 'Release and create' }).click()
  await page.waitForURL((url) => /^\/distlist\/\d+$/.test(url.pathname))
  await page.getByText(`${list.email} · 1 member`).waitFor()
})

describe('the address of a deleted user as an alias', () => {
  test('can be added to a user once it is released', async () => {
    const gone = await makeUser('First', 'Gone')
    const other = await makeUser('Other', 'Stays')
    await remove(`/api/v4/users/${gone.id}`)
    const page = await visitAs(owner, `/user/${other.id}`)
    await page.getByLabel('Aliases: new entry').fill(gone.email)
    await press(page, 'Save')
    await dialog(page, gone.email).getByText('deletes it permanently and adds the address here').waitFor()
    await dialog(page, gone.email).getByRole('button', { name: 'Release and save' }).click()
    await page.getByText('The user has been updated.').first().waitFor()
    const token = await ownerToken()
    const saved = await send<{ aliases: string[] }>(`/api/v4/users/${other.id}`, { token })
    expect(saved.aliases).toEqual([gone.email])
  })

  test('can be kept by restoring the deleted user', async () => {
    const gone = await makeUser('First', 'Return')
    const folder = await makeFolder(uniqueWord('Post'), 'mail')
    await remove(`/api/v4/users/${gone.id}`)
    const page = await visitAs(owner, `/shared-folder/${folder.id}`)
    await page.getByLabel('Aliases: new entry').fill(gone.email)
    await press(page, 'Save')
    await dialog(page, gone.email).getByRole('button', { name: 'Restore' }).click()
    await page.waitForURL(`**/user/${gone.id}`)
    await page.getByRole('heading', { level: 1, name: 'First Return' }).waitFor()
  })
})
