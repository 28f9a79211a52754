import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { variantUrl } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { makeUser, owner, ownerToken, send } from '../support/users.ts'

const { visitAs } = useVisitor()

/** Folder for screenshots; none are taken if it's unset. */
const folder = process.env.SCREENSHOTS

async function picture(page: Page, name: string): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })

test('the department is set for a new user, changed later, and shown in the history', async () => {
  const page = await visitAs(owner, '/user/new')
  await page.getByLabel('First name').fill('Dora')
  await page.getByLabel('Organization').fill('Acme')
  await page.getByLabel('Department').fill('Research')
  await page.getByLabel('E-mail address').fill(uniqueWord('dora'))
  await page.getByLabel('Password', { exact: true }).fill('Lindenhof-42')
  await page.getByLabel('Confirm password').fill('Lindenhof-42')
  await picture(page, 'new-user')
  await button(page, 'Create user').click()
  await page.getByRole('heading', { level: 1, name: 'Dora' }).waitFor()

  await page.getByRole('tab', { name: 'Personal' }).click()
  await expect.poll(() => page.getByLabel('Department').inputValue()).toBe('Research')
  await page.getByLabel('Department').fill('Sales')
  await button(page, 'Save').click()
  await page.getByText('The user has been updated.').first().waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Department').inputValue()).toBe('Sales')
  expect(await page.getByLabel('Organization').inputValue()).toBe('Acme')

  await page.getByRole('tab', { name: 'History' }).click()
  await page
    .getByRole('row')
    .filter({ hasText: 'Department' })
    .getByText('Department: Research → Sales')
    .waitFor()
})

test('support staff see the department and its changes', async () => {
  const { id } = await makeUser('Seen', uniqueWord())
  const token = await ownerToken()
  await send(`/api/v4/users/${id}`, { token, method: 'PUT', body: { department: 'Research' } })
  const page = await visitAs('admin@example.test', variantUrl(portal.appUrl, 'admin', `/user/${id}`))
  await page.getByRole('term').filter({ hasText: 'Department' }).waitFor()
  await page.getByRole('definition').filter({ hasText: 'Research' }).waitFor()
  await picture(page, 'cockpit')
})

test('the import columns include the department', async () => {
  const page = await visitAs(owner, '/import?kind=users')
  await page.getByRole('term').filter({ hasText: 'department' }).waitFor()
  await page.getByRole('definition').filter({ hasText: 'Department' }).waitFor()
  await picture(page, 'import')
})

test.each([
  ['en', 'wide', desktop],
  ['en', 'narrow', phone],
  ['de', 'wide', desktop],
  ['de', 'narrow', phone],
])(
  'the personal form has its fields side by side where there is room: %s, %s',
  async (language, width, viewport) => {
    const { id } = await makeUser('Form', uniqueWord())
    const page = await visitAs(owner, `/user/${id}?tab=personal`, { viewport, locale: `${language}-CH` })
    const label = language === 'de' ? ['Organisation', 'Abteilung'] : ['Organization', 'Department']
    const [organization, department] = await Promise.all(
      label.map(async (text) => {
        const field = page.getByLabel(text, { exact: true })
        await field.waitFor()
        return field.boundingBox()
      }),
    )
    expect(organization?.y === department?.y).toBe(width === 'wide')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
    await expectNoFindings(page, `personal ${language} ${width}`)
    await picture(page, `personal-${language}-${width}`)
  },
)
