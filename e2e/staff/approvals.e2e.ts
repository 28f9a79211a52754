import pg from 'pg'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { signIn, variantUrl } from '../support/sign-in.ts'

const { visit } = useVisitor()
let customer = ''

async function visitAs(
  variant: 'admin' | 'reseller',
  path: string,
  options: VisitOptions = {},
): Promise<Page> {
  const page = await visit(variantUrl(portal.appUrl, variant, '/login'), options)
  await signIn(page, variant === 'admin' ? 'admin@example.test' : 'reseller@partner.test')
  await page.goto(variantUrl(portal.appUrl, variant, path))
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const main = (page: Page) => page.locator('main')
const requests = (page: Page) =>
  main(page).getByRole('table', { name: 'Approvals', exact: true }).locator('tbody tr')

/** Makes a demo user a customer of the reseller. */
beforeAll(async () => {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      `update users u set tenant_id = r.tenant_id from users r
       where u.email = 'solo@example.test' and r.email = 'reseller@partner.test' returning u.id`,
    )
    customer = `/user/${rows[0]?.id}`
  } finally {
    await client.end()
  }
})

/** The reseller requests more than the limit per customer. */
async function ask(page: Page, why: string): Promise<void> {
  await page.goto(variantUrl(portal.appUrl, 'reseller', `${customer}?tab=finances`))
  await main(page).getByRole('button', { name: 'Add bonus…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/Amount/).fill('1200')
  await dialog.getByText('A colleague has to approve this first').waitFor()
  await dialog.getByLabel('Description').fill(why)
  await expectNoFindings(page, 'dialog of a large bonus')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test("a reseller's large bonus waits for an admin, who approves it", async () => {
  const reseller = await visitAs('reseller', '/dashboard')
  await ask(reseller, 'For a long outage')
  await reseller
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('link', { name: 'Approvals' })
    .click()
  const own = requests(reseller).filter({ hasText: 'For a long outage' })
  await own.getByText('Pending').waitFor()
  expect(await own.getByRole('button', { name: /^Approve/ }).count()).toBe(0)

  const admin = await visitAs('admin', '/dashboard')
  await main(admin).getByRole('listitem').filter({ hasText: '1 waiting for you' }).getByRole('link').click()
  await admin.goto(variantUrl(portal.appUrl, 'admin', '/approvals?state=pending'))
  const row = requests(admin).filter({ hasText: 'For a long outage' })
  await row.getByRole('button', { name: /^Approve/ }).click()
  const dialog = admin.getByRole('dialog', { name: /^Approve/ })
  await dialog.getByLabel('Comment').fill('Seen the ticket')
  await expectNoFindings(admin, 'dialog of an approval')
  await dialog.getByRole('button', { name: 'Approve and book' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
  await admin.goto(variantUrl(portal.appUrl, 'admin', '/approvals?state=approved'))
  await row.getByText('Booked').waitFor()
  await row.getByText('Seen the ticket').waitFor()
  await row.getByRole('link').first().click()
  await main(admin).getByText('For a long outage').first().waitFor()
})

test('a refused one shows the reason, and the requester can withdraw one', async () => {
  const reseller = await visitAs('reseller', '/dashboard')
  await ask(reseller, 'Too generous')
  await ask(reseller, 'A slip')
  const admin = await visitAs('admin', '/approvals')
  const row = requests(admin).filter({ hasText: 'Too generous' })
  await row.getByRole('button', { name: /^Reject/ }).click()
  const dialog = admin.getByRole('dialog', { name: /^Reject/ })
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await dialog.getByText('Fill in this field.').waitFor()
  await dialog.getByLabel('Reason').fill('Half of it is enough')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await row.getByText('Half of it is enough').waitFor()
  await reseller.goto(variantUrl(portal.appUrl, 'reseller', '/approvals'))
  const slip = requests(reseller).filter({ hasText: 'A slip' })
  await slip.getByRole('button', { name: /^Withdraw/ }).click()
  const taken = reseller.getByRole('dialog', { name: /^Withdraw/ })
  await taken.getByLabel('Reason').fill('One zero too many')
  await taken.getByRole('button', { name: 'Withdraw request', exact: true }).click()
  await slip.getByText('Withdrawn').waitFor()
})

test.each(['light', 'dark'] as const)(
  'in %s colours axe finds nothing, and a phone is wide enough',
  async (scheme) => {
    const page = await visitAs('admin', '/approvals', { colorScheme: scheme, viewport: phone })
    await main(page).locator('.panel').first().waitFor()
    await requests(page).first().waitFor()
    await expectNoFindings(page, '/approvals')
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(excess).toBe(0)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/approvals-${scheme}.png` })
  },
)
