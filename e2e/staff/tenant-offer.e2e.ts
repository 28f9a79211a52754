import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DnsServer } from '../../packages/server/src/testing/servers/dns-server.ts'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { variantUrl } from '../support/sign-in.ts'

const { visit, visitAs } = useVisitor()
let dns: DnsServer

beforeAll(async () => {
  dns = await DnsServer.start(portal.dnsPort)
})

afterAll(async () => {
  await dns[Symbol.asyncDispose]()
})

const main = (page: Page) => page.locator('main')
const act = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name })
const follow = (page: Page, name: string) => main(page).getByRole('link', { name, exact: true }).click()
const asReseller = (path: string, options = {}) =>
  visitAs('reseller@partner.test', variantUrl(portal.appUrl, 'reseller', path), options)

/** Waits for a toast. */
const told = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

/** Saves the form with the bar at the bottom that lists its changes. */
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

test('a reseller changes a product, and sees why a price is rejected and that someone else changed it', async () => {
  const page = await asReseller('/tenant/own?tab=catalogue')
  await expectNoFindings(page, 'products')
  await follow(page, 'Mailbox')
  const price = page.getByLabel('Price in CHF, monthly')
  await price.fill('0.01')
  await save(page)
  await page.getByText('The price can’t be lower than the fee owed to the service.').waitFor()
  expect(await price.getAttribute('aria-invalid')).toBe('true')
  await expectNoFindings(page, 'a refused price')
  await price.fill('a lot')
  await save(page)
  await page.getByText('Enter an amount, such as 4.90.').waitFor()
  await price.fill('6.50')
  await save(page)
  await told(page, 'The product has been changed. The price applies to new subscriptions.')

  // someone else changes the same product before this one is saved
  await query(`update skus set cost = 640 where tenant_id = 1 and title = 'mailbox'`)
  await page.getByLabel('Name in English').fill('Mailbox plus')
  await save(page)
  await page.getByText('Someone else changed this while you were editing.').waitFor()
  await expectNoFindings(page, 'a conflict')
  await page.getByRole('button', { name: 'Overwrite' }).click()
  await page.getByRole('heading', { name: 'Mailbox plus' }).waitFor()
  expect(await price.inputValue()).toBe('6.40')
})

test('a reseller changes a package, within the subscription rules and the limits', async () => {
  const page = await asReseller('/tenant/own?tab=catalogue&part=packages')
  await follow(page, 'Mail account')
  await page.getByLabel('Discount in percent').fill('60')
  await save(page)
  await page.getByText('The service allows at most 50%.').waitFor()
  await page.getByLabel('Discount in percent').fill('10')
  await page.getByLabel(/^Mailbox/).uncheck()
  await save(page)
  const contents = page.getByRole('group', { name: 'For users' })
  await contents.locator('.field-error').first().waitFor()
  await page.getByLabel(/^Mailbox/).check()
  await page.getByLabel('Quantity of Storage').fill('6')
  await save(page)
  await told(page, 'The package has been changed.')
  await expectNoFindings(page, 'a package')
})

test('a plan that a reseller creates is visible on the tenant’s host until it is hidden', async () => {
  const page = await asReseller('/tenant/own?tab=catalogue&part=plans')
  // by keyboard, because the error toast covers the button
  const createPlan = () => page.getByLabel('Free months').press('Enter')
  await follow(page, 'New plan')
  await page.getByLabel('Identifier', { exact: true }).fill('starter')
  await page.getByLabel('Name in English').fill('Starter')
  await createPlan()
  await page.getByText('Choose at least one package.').waitFor()
  await page.getByLabel(/^Mail account/).check()
  await page.getByLabel('Free months').fill('9')
  await createPlan()
  await page.getByText('The service allows at most 3 free months.').waitFor()
  await expectNoFindings(page, 'a plan that is refused')
  await page.getByLabel('Free months').fill('2')
  await createPlan()
  await main(page).getByRole('link', { name: 'Starter' }).waitFor()
  const listed = await main(page).getByRole('row').filter({ hasText: 'Starter' }).innerText()
  const [price = 'no price'] = /\d\.\d\d/.exec(listed) ?? []

  const signUp = new URL('/signup', portal.appUrl)
  signUp.hostname = 'partner.localhost'
  const customer = await visit(signUp.href)
  const starter = customer.getByRole('region', { name: 'Starter' })
  await starter.getByText(price).waitFor()
  await starter.getByText('The first 2 months are free.').waitFor()

  await act(page, 'Actions for Starter').click()
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await main(page).getByText('hidden', { exact: true }).waitFor()
  await customer.reload()
  await customer.getByRole('region', { name: 'Individual' }).waitFor()
  expect(await starter.count()).toBe(0)
  await act(page, 'Actions for Group').click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const question = page.getByRole('dialog', { name: 'Delete plan “Group”?' })
  await question.getByRole('button', { name: 'Delete plan' }).click()
  await question.getByText('This plan is in use by accounts. Hide it instead.').waitFor()
  await expectNoFindings(page, 'a deletion that is refused')
})

test('a reseller verifies a public domain and closes it again', async () => {
  const page = await asReseller('/tenant/own?tab=sign-up')
  await act(page, 'Add domain…').click()
  const adding = page.getByRole('dialog', { name: 'Add a public domain' })
  await adding.getByLabel('Domain').fill('acme.test')
  await adding.getByRole('button', { name: 'Add domain' }).click()
  await adding.getByText('This domain isn’t available.').waitFor()
  await adding.getByLabel('Domain').fill('Post.Partner-Mail.test')
  await adding.getByRole('button', { name: 'Add domain' }).click()
  const domain = page.getByRole('region', { name: 'post.partner-mail.test' })
  await domain.getByRole('button', { name: 'Check now' }).click()
  await domain.getByText(/^Last checked/).waitFor()
  await expectNoFindings(page, 'a public domain that waits')
  const [, name = '', value = ''] = await domain.locator('dd code').allInnerTexts()
  dns.txt(name, value)
  await domain.getByRole('button', { name: 'Check now' }).click()
  await domain.getByText('Open', { exact: true }).waitFor()
  await domain.getByRole('button', { name: 'Close…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close domain' }).click()
  await domain.getByText('Closed', { exact: true }).waitFor()
})

test('a reseller creates tokens, which can be copied and saved, and revokes one', async () => {
  const page = await asReseller('/tenant/own?tab=sign-up&part=tokens')
  await act(page, 'New tokens…').click()
  const making = page.getByRole('dialog', { name: 'New sign-up tokens' })
  await making.getByLabel('Number of tokens').fill('5000')
  await making.getByRole('button', { name: 'Create tokens' }).click()
  await expect.poll(() => making.getByLabel('Number of tokens').getAttribute('aria-invalid')).toBe('true')
  await making.getByLabel('Number of tokens').fill('3')
  await expectNoFindings(page, 'new tokens')
  await making.getByRole('button', { name: 'Create tokens' }).click()
  const made = page.getByRole('dialog', { name: '3 tokens created' })
  const tokens = (await made.getByLabel('Sign-up tokens').inputValue()).split('\n')
  expect(new Set(tokens).size).toBe(3)
  await expectNoFindings(page, 'tokens that were made')
  const download = page.waitForEvent('download')
  await made.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('sign-up-tokens.txt')
  await made.getByRole('button', { name: 'Done' }).click()
  const [first = ''] = tokens
  await act(page, `Revoke… ${first}`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
  const row = page.getByRole('row').filter({ hasText: first })
  await row.getByText('Revoked', { exact: true }).waitFor()
  await expectNoFindings(page, 'tokens')

  await page.getByRole('tab', { name: 'History' }).click()
  await main(page).getByText('Sign-up tokens created').waitFor()
  await act(page, /^Details of Sign-up token revoked/).click()
  await main(page).getByText(first).waitFor()
  await expectNoFindings(page, 'history of a tenant')
})

test('a reseller creates a referral programme within the limits, and ends it', async () => {
  const page = await asReseller('/tenant/own?tab=sign-up&part=programs')
  await follow(page, 'New programme')
  await page.getByLabel('Name in English').fill('Friends')
  await page.getByLabel('Award in CHF').fill('150')
  await page.getByLabel('Required payments by the new customer in CHF').fill('20')
  await act(page, 'Create programme').click()
  await page.getByText(/The service allows an award of at most CHF.100\.00\./).waitFor()
  await page.getByLabel('Award in CHF').fill('15')
  await act(page, 'Create programme').click()
  await act(page, 'End Friends').click()
  await main(page).getByText('ended', { exact: true }).waitFor()
  await expectNoFindings(page, 'programmes')
})

test('an admin sets offer limits, which the tenant sees and must respect', async () => {
  const address = variantUrl(portal.appUrl, 'admin', '/tenant/1?tab=settings')
  const admin = await visitAs('admin@example.test', address)
  const limits = admin.getByRole('region', { name: 'Limits', exact: true })
  await limits.getByLabel('By token').uncheck()
  await limits.getByLabel('Referral award in CHF').fill('1.50')
  await limits.getByLabel('Free months per plan').fill('many')
  await save(admin)
  await limits.getByText('Enter a number.').waitFor()
  await expectNoFindings(admin, 'limits')
  await limits.getByLabel('Free months per plan').fill('1')
  await save(admin)
  await told(admin, 'The tenant limits have been saved.')

  const page = await asReseller('/tenant/own/program/new')
  await page.getByLabel('Name in English').fill('Neighbours')
  await page.getByLabel('Award in CHF').fill('2')
  await page.getByLabel('Required payments by the new customer in CHF').fill('0')
  await act(page, 'Create programme').click()
  await page.getByText(/The service allows an award of at most CHF.1\.50\./).waitFor()
  await page.getByLabel('Award in CHF').fill('1')
  await act(page, 'Create programme').click()
  const bounds = page.getByRole('region', { name: 'Offer limits' })
  await bounds.getByText('By e-mail, By payment').waitFor()
  await bounds.getByText(/^CHF.1\.50$/).waitFor()
})

test.each([
  ['the catalogue', ['/tenant/own?tab=catalogue', '/tenant/own?tab=catalogue&part=packages']],
  ['plans', ['/tenant/own?tab=catalogue&part=plans', '/tenant/own/plan/new']],
  ['a new package', ['/tenant/own/package/new']],
  ['sign-up', ['/tenant/own?tab=sign-up', '/tenant/own?tab=sign-up&part=tokens']],
  ['programmes', ['/tenant/own?tab=sign-up&part=programs', '/tenant/own/program/new']],
  ['the history', ['/tenant/own?tab=history']],
])(
  'on a phone in the dark axe finds nothing in %s, and nothing is wider than the screen',
  async (_, addresses) => {
    const [first = ''] = addresses
    const page = await asReseller(first, { viewport: phone, colorScheme: 'dark' })
    for (const address of addresses) {
      if (address !== first) await page.goto(variantUrl(portal.appUrl, 'reseller', address))
      const content = main(page).locator(
        '.data-link, .tenants-proof, .form-panel, .empty, .offer-token, td .chip',
      )
      await content.first().waitFor()
      await expectNoFindings(page, address)
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(excess, address).toBe(0)
    }
  },
)
