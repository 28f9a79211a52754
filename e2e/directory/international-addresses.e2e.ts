import pg from 'pg'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { useRelyingParty } from '../support/relying-party.ts'
import { demoPassword, signIn, variantUrl } from '../support/sign-in.ts'

const { visit } = useVisitor()
const app = useRelyingParty('Wiki')

const ascii = 'xn--mnchen-3ya.test'
const owner = `owner@${ascii}`
let customer = ''
let member = ''
let objects: readonly string[] = []
let domain = ''

/** Moves the demo's account, with all its references, to a domain that isn't in ASCII. */
beforeAll(async () => {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    for (const [table, column] of [
      ['users', 'email'],
      ['directory_objects', 'email'],
      ['addresses', 'address'],
      ['domains', 'namespace'],
      ['event_log', 'actor_email'],
    ])
      await client.query(`update ${table} set ${column} = replace(${column}, 'acme.test', $1)`, [ascii])
    await client.query(`update domains set display_name = 'münchen.test' where namespace = $1`, [ascii])
    const one = async (sql: string, values: unknown[] = []) =>
      (await client.query<{ id: string }>(sql, values)).rows[0]?.id ?? ''
    customer = await one('select id from users where email = $1', [owner])
    member = await one('select id from users where email = $1', [`jane@${ascii}`])
    domain = `/domain/${await one('select id from domains where namespace = $1', [ascii])}`
    const found = await client.query<{ path: string }>(
      `select '/' || case kind when 'group' then 'distlist' else kind end || '/' || min(id) as path
       from directory_objects where deleted_at is null and email like $1 group by kind`,
      [`%${ascii}`],
    )
    objects = found.rows.map(({ path }) => path)
  } finally {
    await client.end()
  }
})

/** Screens must show the Unicode spelling only. */
async function expectUnicode(page: Page, where: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('main').locator('.panel, .board, .data-table, form').first().waitFor()
  await expect.poll(() => page.locator('main .skeleton').count()).toBe(0)
  const texts = await page.evaluate(() => [
    document.body.innerText,
    // browsers show the value of an e-mail field in Unicode and give scripts the ASCII form; usernames for
    // password managers are those that people sign in with
    ...Array.from(
      document.querySelectorAll('input:not([type="email"], [autocomplete="username"])'),
      (field) => (field instanceof HTMLInputElement ? field.value : ''),
    ),
  ])
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes('xn--'))
  expect(lines, where).toEqual([])
}

async function visitTabs(page: Page, where: string): Promise<void> {
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    await expectUnicode(page, `${where}, ${await tab.innerText()}`)
  }
}

// opens many screens in sequence
const patience = 240_000

test('an owner sees addresses in the script of their domain', { timeout: patience }, async () => {
  const page = await visit('/login')
  await signIn(page, 'Owner@München.test', demoPassword)
  const lists = ['/users', '/distlists', '/resources', '/shared-folders', '/activity', '/policies', '/wallet']
  for (const path of [...lists, '/dashboard', '/import', '/security', '/files']) {
    await page.goto(path)
    await expectUnicode(page, path)
  }
  for (const path of [`/user/${customer}`, `/user/${member}`, ...objects]) {
    await page.goto(path)
    await expectUnicode(page, path)
    await visitTabs(page, path)
  }
})

test('staff see them the same way in the cockpit', { timeout: patience }, async () => {
  const page = await visit(variantUrl(portal.appUrl, 'admin', '/login'))
  await signIn(page, 'admin@example.test')
  await page.goto(variantUrl(portal.appUrl, 'admin', '/dashboard?search=münchen'))
  await expectUnicode(page, 'search')
  for (const path of [`/user/${customer}`, `/user/${member}`, ...objects]) {
    await page.goto(variantUrl(portal.appUrl, 'admin', path))
    await expectUnicode(page, path)
    await visitTabs(page, path)
  }
  // DNS records are in ASCII, so check the name only
  await page.goto(variantUrl(portal.appUrl, 'admin', domain))
  await page.getByRole('heading', { level: 1, name: 'münchen.test' }).waitFor()
})

test("an application's consent screen shows them the same way", async () => {
  const page = await visit('/login')
  await signIn(page, owner, demoPassword)
  await page.goto(app().authorize())
  await page.getByRole('heading', { level: 1, name: 'Wiki' }).waitFor()
  await page.getByText('owner@münchen.test').first().waitFor()
})
