import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { variantUrl } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { makeUser, owner, ownerToken, send } from '../support/users.ts'

const { visitAs } = useVisitor()

/** Opens a portal page while support staff impersonate a user. */
async function impersonate(search: string, path: string): Promise<Page> {
  const found = await send<{ list: { id: number }[] }>(`/api/v4/users?search=${search}`, {
    token: await ownerToken(),
  })
  const cockpit = variantUrl(portal.appUrl, 'admin', `/user/${found.list[0]?.id}`)
  const page = await visitAs('admin@example.test', cockpit)
  await page.getByRole('button', { name: 'Sign in as…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Why').fill('Ticket 12: cannot add a user')
  await dialog.getByRole('button', { name: 'Start session' }).click()
  const link = dialog.getByRole('link', { name: /^Open as/ })
  const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await other.getByRole('complementary', { name: 'Support session' }).waitFor()
  await other.goto(path)
  await other.getByRole('heading', { level: 1 }).waitFor()
  return other
}

describe('support staff acting as a customer', () => {
  test('add a user without a password, and see no action that would be refused', async () => {
    const page = await impersonate(owner, '/user/new')
    const login = uniqueWord('helped')
    await page.getByText('Support staff can’t set a password.').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    await expectNoFindings(page, 'new user without a password')
    await page.getByLabel('First name').fill('Hella')
    await page.getByLabel('E-mail address').fill(login)
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hella' }).waitFor()
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete…' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Personal' }).click()
    expect(await page.getByLabel('External e-mail').isDisabled()).toBe(true)
    await page.getByLabel('Phone').fill('+41 44 123')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Success').first().waitFor()
  })

  test("see delegates but can't add any", async () => {
    const { email } = await makeUser('Dele', 'Gates')
    const page = await impersonate(email, '/settings?tab=delegation')
    await page.getByRole('region', { name: 'Who can act for you' }).waitFor()
    expect(await page.getByRole('button', { name: 'Add delegate…' }).count()).toBe(0)
  })
})
