import pg from 'pg'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { mailTo } from '../support/mail.ts'
import { portal } from '../support/portal.ts'
import { signIn, variantUrl } from '../support/sign-in.ts'

const { visit } = useVisitor()
const main = (page: Page) => page.locator('main')

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Moves the effective date of every scheduled change to today and runs the job. */
async function reachTheDay(): Promise<void> {
  await query(`update price_changes set effective_at = now() - interval '1 minute' where state = 'announced'`)
  await query(`update price_change_units set since = now() - interval '1 minute'`)
  await query(`update price_change_wallets set since = now() - interval '1 minute' where applied_at is null`)
  await query(`select graphile_worker.add_job('price-changes:work', '{}')`)
}

test('an admin raises a price: customers are notified by e-mail, see it, and pay it from its date', async () => {
  const admin = await visit(variantUrl(portal.appUrl, 'admin', '/login'))
  await signIn(admin, 'admin@example.test')
  await admin.goto(variantUrl(portal.appUrl, 'admin', '/price-changes'))
  await admin.getByText('No price changes yet').waitFor()
  await expectNoFindings(admin, 'no price changes')
  await main(admin).getByRole('link', { name: 'New price change' }).first().click()
  const subscription = main(admin).getByLabel('Subscription', { exact: true })
  await subscription.waitFor()
  const option = subscription.locator('option').filter({ hasText: /^Mailbox \(/ })
  await subscription.selectOption((await option.getAttribute('value')) ?? '')
  await main(admin).getByLabel('New price in CHF').fill('6.00')
  await main(admin).getByLabel('English').fill('Power costs more.')
  const accounts = main(admin).getByRole('table', { name: 'Accounts' })
  await accounts.getByText('owner@acme.test').waitFor()
  await expectNoFindings(admin, 'preview of a price change')
  await main(admin).getByRole('button', { name: 'Schedule and notify' }).click()
  const dialog = admin.getByRole('dialog', {
    name: /^Change the price of Mailbox from CHF.5\.00 to CHF.6\.00/,
  })
  await dialog.waitFor()
  await expectNoFindings(admin, 'confirmation of a price change')
  await dialog.getByRole('button', { name: 'Schedule and notify' }).click()
  await main(admin).getByText('Customers notified').waitFor()
  await expectNoFindings(admin, 'a price change')

  const mail = await mailTo('owner@acme.test')
  expect(mail.subject).toMatch(/^New price for Mailbox from /)
  expect(mail.text).toContain('Power costs more.')
  const owner = await visit('/login', { viewport: phone })
  await signIn(owner, 'owner@acme.test')
  await owner.goto(`${portal.appUrl}/wallet?tab=forecast`)
  const announced = main(owner).getByRole('region', { name: 'Price changes' })
  await announced.getByText('Power costs more.').waitFor()
  await expectNoFindings(owner, 'an announced price')

  await reachTheDay()
  await expect
    .poll(
      async () => {
        await admin.reload()
        await main(admin).getByRole('heading', { name: 'Progress' }).waitFor()
        return main(admin).getByText('In effect', { exact: true }).isVisible()
      },
      { timeout: 30_000 },
    )
    .toBe(true)
})

test('a reseller views their own prices on a phone and cancels a change', async () => {
  const reseller = await visit(variantUrl(portal.appUrl, 'reseller', '/login'), { viewport: phone })
  await signIn(reseller, 'reseller@partner.test')
  await reseller.goto(variantUrl(portal.appUrl, 'reseller', '/price-change/new'))
  await main(reseller).getByLabel('New price in CHF').fill('0.01')
  await main(reseller).getByText('The price can’t be lower than the fee.').waitFor()
  // a rejected preview is marked at its field and offers no confirmation
  await main(reseller).getByRole('button', { name: 'Schedule and notify' }).click()
  await main(reseller).locator('[name="cost"][aria-invalid="true"]').waitFor()
  expect(await reseller.getByRole('dialog').count()).toBe(0)
  await main(reseller).getByLabel('New price in CHF').fill('9.00')
  await main(reseller).getByRole('heading', { name: 'Preview' }).waitFor()
  await main(reseller).getByRole('button', { name: 'Schedule and notify' }).click()
  await reseller.getByRole('dialog').getByRole('button', { name: 'Schedule and notify' }).click()
  await main(reseller).getByRole('button', { name: 'Cancel price change' }).click()
  const dialog = reseller.getByRole('dialog', { name: /^Cancel the price change of/ })
  await dialog.getByRole('button', { name: 'Cancel price change' }).click()
  await main(reseller).getByText('Cancelled').first().waitFor()
  await reseller.goto(variantUrl(portal.appUrl, 'reseller', '/price-changes'))
  // the filter above the list contains the status too
  await main(reseller).getByText('Cancelled').and(reseller.locator(':not(option)')).waitFor()
  await expectNoFindings(reseller, 'price changes of a reseller')
})
