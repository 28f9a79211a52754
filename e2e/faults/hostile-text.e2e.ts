import { fieldsWith } from '@gatehouse/contract/directory/user-fields'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { signIn, variantUrl } from '../support/sign-in.ts'

const { visit } = useVisitor()

/** Sets a marker if a page renders it as HTML. */
const hostile = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`
let customer = ''
let tenant = ''
let objects: string[] = []

/** Fills every text that customers, resellers, back ends and mail servers control with hostile markup. */
beforeAll(async () => {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    const one = async (sql: string, values: unknown[] = [hostile]) =>
      (await client.query<{ id: string }>(sql, values)).rows[0]?.id ?? ''
    customer = await one(`select id from users where email = 'owner@acme.test'`, [])
    for (const key of fieldsWith('section').filter((name) => name !== 'country')) {
      await client.query(
        `insert into user_settings (user_id, key, value) values ($2, $3, $1)
         on conflict (user_id, key) do update set value = $1`,
        [hostile, customer, key],
      )
    }
    await client.query(
      `insert into event_log (id, tenant_id, object_type, object_id, event, actor_email, comment, data, created_at)
       values (gen_random_uuid(), 0, 'user', $2, $1, $1, $1, jsonb_build_object('before', jsonb_build_object('first_name', $1::text), $1::text, $1::text), now())`,
      [hostile, customer],
    )
    await client.query(
      `insert into mail_log (id, name, subject, recipients, outcome, error, created_at)
       values (gen_random_uuid(), $1, $1, array[$1], 'failed', $1, now())`,
      [hostile],
    )
    await client.query(`update wallets set description = $1`, [hostile])
    await client.query(`update discounts set description = jsonb_build_object('en', $1::text)`, [hostile])
    await client.query(`update directory_objects set name = $1 || id where deleted_at is null`, [hostile])
    tenant = await one(
      `update tenants set title = left($1, 64), settings = jsonb_build_object('app.name', $1::text) where id <> 0 returning id`,
    )
    await client.query(`update signup_invitations set error = $1, status = 4 where status <> 8`, [hostile])
    await client.query(
      `insert into one_off_requests (id, tenant_id, wallet_id, amount, currency, description, requested_by,
         requester_email, requester_role, requester_tenant_id, created_at, expires_at)
       select gen_random_uuid(), 0, id, 100, 'CHF', $1, 1, $1, 'admin', 0, now(), now() + interval '1 day'
       from wallets where user_id = $2`,
      [hostile, customer],
    )
    const found = await client.query<{ path: string }>(
      `select '/' || case kind when 'group' then 'distlist' else kind end || '/' || min(id) as path
       from directory_objects where deleted_at is null group by kind`,
    )
    const domain = await one(`select min(id) as id from domains where namespace = 'acme.test'`, [])
    objects = [...found.rows.map(({ path }) => path), `/domain/${domain}`]
  } finally {
    await client.end()
  }
})

async function open(variant: 'admin' | 'reseller', path: string, page: Page): Promise<void> {
  await page.goto(variantUrl(portal.appUrl, variant, path))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('main').locator('.panel, .board').first().waitFor()
}

/** Expects that no part of it became an element or ran. */
async function expectInert(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => ({
    pictures: document.querySelectorAll('img[src="x"], img[onerror]').length,
    ran: 'pwned' in window,
  }))
  expect(found, where).toEqual({ pictures: 0, ran: false })
}

const tabs = [
  'Finances',
  'Aliases',
  'Domains',
  'Users',
  'Lists',
  'Resources',
  'Folders',
  'Settings',
  'History',
]

async function visitAdmin(): Promise<Page> {
  const page = await visit(variantUrl(portal.appUrl, 'admin', '/login'))
  await signIn(page, 'admin@example.test')
  return page
}

async function expectAllInert(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await open('admin', address, page)
    await expectInert(page, address)
  }
}

// opens many screens in sequence
const patience = 180_000

test("an admin sees a customer's hostile texts as plain text", { timeout: patience }, async () => {
  const page = await visitAdmin()
  await open('admin', `/user/${customer}`, page)
  // it is shown verbatim
  await page.locator('main').getByText('<img src=x onerror=', { exact: false }).first().waitFor()
  for (const tab of tabs) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
    await page.getByRole('tabpanel').locator('.panel').first().waitFor()
    await expectInert(page, tab)
  }
})

test('the other cockpit screens show them as plain text too', { timeout: patience }, async () => {
  const lists = ['/dashboard?search=owner', '/approvals', '/operations?tab=mails', '/tenants', '/stats']
  await expectAllInert(await visitAdmin(), [...lists, `/tenant/${tenant}`, ...objects])
})

test('a reseller sees them as plain text too', { timeout: patience }, async () => {
  const page = await visit(variantUrl(portal.appUrl, 'reseller', '/login'))
  await signIn(page, 'reseller@partner.test')
  for (const address of ['/invitations', '/tenant/own', '/wallet', '/approvals']) {
    await open('reseller', address, page)
    await expectInert(page, address)
  }
})
