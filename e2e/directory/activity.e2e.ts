import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { makeFile } from '../support/files.ts'
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

const list = (page: Page) => page.getByRole('table', { name: 'Activity' })

test('a file event is a sentence with a link to the file, until the file is in the trash', async () => {
  const file = await makeFile(`${uniqueWord('budget')}.csv`, 'a,b')
  const page = await visitAs(owner, '/activity?event=file')
  await list(page)
    .getByRole('rowheader', { name: /^Today, / })
    .waitFor()
  await list(page).getByText(`You created ${file.name}`, { exact: true }).waitFor()
  await list(page).getByRole('link', { name: file.name }).click()
  await page.getByRole('heading', { level: 1, name: file.name }).waitFor()
  await send(`/api/v4/fs/${file.id}`, { token: await ownerToken(), method: 'DELETE' })
  await page.goto(`${portal.appUrl}/activity?event=file`)
  await list(page).getByText(`You moved ${file.name} to the trash`, { exact: true }).waitFor()
  expect(await list(page).getByRole('link', { name: file.name }).count()).toBe(0)
})

test('a URL shows the activity of one object and links back to all activity', async () => {
  const user = await makeUser('Told', uniqueWord())
  const page = await visitAs(owner, `/activity?objectType=user&object=${user.id}`)
  const rows = list(page).locator('tbody tr:not(.data-group)')
  await rows.getByText(`You created the user ${user.email}`).waitFor()
  const others = rows.filter({ hasNotText: user.email })
  expect(await others.count()).toBe(0)
  await page.getByRole('button', { name: `Only ${user.email}` }).click()
  await page.waitForURL((url) => !url.searchParams.has('object'))
  await expect.poll(() => others.count()).toBeGreaterThan(0)
})

const looks = [
  ['en', 'light', desktop],
  ['de', 'dark', desktop],
  ['en', 'dark', phone],
  ['de', 'light', phone],
] as const

describe.each(looks)('in %s and %s colours', (locale, colorScheme, viewport) => {
  const options: VisitOptions = { locale, colorScheme, viewport }
  const name = (screen: string) => `${screen}-${locale}-${colorScheme}-${viewport.width}`

  test('activity and statistics fit the screen and pass axe', async () => {
    const activity = await visitAs(owner, '/activity', options)
    await activity.locator('main .data-group').first().waitFor()
    await expectFit(activity, name('activity'))
    const stats = await visitAs('admin@example.test', variantUrl(portal.appUrl, 'admin', '/stats'), options)
    await stats.locator('main .stats-figures b').first().waitFor()
    await stats.locator('main .stats-course').first().waitFor()
    await expectFit(stats, name('stats'))
  })
})

async function expectFit(page: Page, name: string): Promise<void> {
  await picture(page, name)
  await expectNoFindings(page, name)
  const width = page.viewportSize()?.width ?? 0
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
}
