import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DnsServer } from '../../packages/server/src/testing/servers/dns-server.ts'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { type Portal, portal, startPortal } from '../support/portal.ts'
import { freePort } from '../support/server-process.ts'
import { signIn } from '../support/sign-in.ts'
import { button } from '../support/signup.ts'

const { visit, visitAs } = useVisitor()

let dns: DnsServer
/**
 * An installation whose host has sibling hosts, rather than subdomains, that browsers resolve to this machine.
 */
let gate: Portal
let port: number

beforeAll(async () => {
  dns = await DnsServer.start()
  port = await freePort()
  gate = await startPortal({
    PORT: String(port),
    APP_URL: at('gate'),
    DNS_SERVERS: dns.address,
  })
})

afterAll(async () => {
  await dns[Symbol.asyncDispose]()
})

const at = (name: string, path = '') => `http://${name}.localhost:${port}${path}`
const settings = '/tenant/own?tab=settings'
const proof = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const reseller = 'reseller@partner.test'

/** Runs a statement on a portal's database. */
async function query(databaseUrl: string, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await client.query(statement, values)
  } finally {
    await client.end()
  }
}

/** Sets both addresses of the tenant on the screen and saves. */
async function setHost(page: Page, url: string): Promise<void> {
  await page.getByLabel('Portal address').fill(url)
  await page.getByLabel('Public address').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

describe('a reseller', () => {
  test('verifies a host, and customers then find the portal there', async () => {
    const page = await visitAs(reseller, at('reseller.gate', settings))
    await setHost(page, at('shop'))
    const shop = proof(page, 'shop.localhost')
    await shop.getByText('Not checked yet').waitFor()
    const before = await visit(at('shop', '/login'))
    await before.getByLabel('E-mail address').waitFor()
    expect(await before.title()).not.toContain('Partner')

    await shop.getByRole('button', { name: 'Check now' }).click()
    await shop.getByText('Waiting for DNS').waitFor()
    await expectNoFindings(page, 'host that waits')
    const [, name = '', value = ''] = await shop.locator('dd code').allInnerTexts()
    expect(name).toBe('_gatehouse.shop.localhost')
    dns.txt(name, value)
    await shop.getByRole('button', { name: 'Check now' }).click()
    await shop.getByText('Verified', { exact: true }).waitFor()

    const after = await visit(at('shop', '/login'))
    await after.getByLabel('E-mail address').waitFor()
    expect(await after.title()).toContain('Partner')
    await signIn(after, 'clara@bistro.test')
    expect(new URL(after.url()).host).toBe(`shop.localhost:${port}`)
  })

  test.each([
    ['the host of the installation', 'gate', 'The installation itself uses this name.'],
    ['a host below it', 'x.gate', 'The installation itself uses this name.'],
    ['user information', 'gate.localhost:x@evil', 'Leave out the username and password.'],
  ])('is refused %s at the field', async (_, name, text) => {
    const page = await visitAs(reseller, at('reseller.gate', settings))
    await setHost(page, at(name))
    await page.getByText(text).first().waitFor()
    await expect.poll(() => page.getByLabel('Portal address').getAttribute('aria-invalid')).toBe('true')
  })

  test("sees that mail isn't sent from an unverified domain", async () => {
    const page = await visitAs(reseller, at('reseller.gate', settings))
    await page.getByLabel('Sender address').fill('security@bank.example')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Mail isn’t sent from security@bank.example yet.').waitFor()
    await proof(page, 'bank.example').getByText('Not checked yet').waitFor()
    await page.getByLabel('Sender address').fill('noreply@partner.test')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await proof(page, 'partner.test').getByText('A verified domain of this tenant').waitFor()
  })

  test('must reauthenticate before an address changes', async () => {
    const page = await visitAs(reseller, at('reseller.gate', settings))
    for (const table of ['sessions', 'access_tokens']) {
      await query(gate.databaseUrl, `update ${table} set authenticated_at = now() - interval '11 minutes'`)
    }
    await page.getByLabel('Sender name').fill('Partner, later')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const box = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await box.getByLabel('Your password').fill('simple123')
    await box.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The tenant settings have been saved.', { exact: true }).waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel('Sender name').inputValue()).toBe('Partner, later')
  })
})

test("an administrator sees a tenant's hosts and confirms one with a reason", async () => {
  await query(
    gate.databaseUrl,
    `with changed as (update tenants set settings = settings || '{"mail.sender.address":"hello@contract.test"}' where id = 1)
      insert into tenant_names (tenant_id, name, is_host, claimed_at) values (1, 'contract.test', false, now()) on conflict do nothing`,
  )
  const page = await visitAs('admin@example.test', at('admin.gate', '/tenant/1?tab=settings'))
  const row = proof(page, 'contract.test')
  await row.getByRole('button', { name: 'Verify without DNS…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verify contract.test without DNS?' })
  await expectNoFindings(page, 'confirm without DNS')
  await dialog.getByLabel('Reason').fill('Contract 4711')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await row.getByText(/Verified by an administrator/).waitFor()
})

describe("a tenant's own settings", () => {
  test('change neither the base path nor links of the main host', async () => {
    const hostile = {
      'app.url': `${portal.appUrl}/nowhere`,
      'app.public_url': 'http://localhost:x@evil.example/',
    }
    await query(portal.databaseUrl, 'update tenants set settings = settings || $1 where id > 0', [
      JSON.stringify(hostile),
    ])
    const page = await visit('/login')
    await signIn(page, 'owner@acme.test')
    await page.goto('/user/new')
    await button(page, 'One-time link').click()
    const link = page.getByLabel('Password link')
    await expect.poll(() => link.inputValue()).toMatch(/\/password-reset\/\S{20,}$/)
    const url = new URL(await link.inputValue())
    expect({ origin: url.origin, user: url.username }).toEqual({ origin: portal.appUrl, user: '' })
    expect(url.pathname).toMatch(/^\/password-reset\//)
  })

  test("don't move its own customers either", async () => {
    const page = await visit('/login')
    await signIn(page, 'clara@bistro.test')
    await page.goto('/user/new')
    await button(page, 'One-time link').click()
    const link = page.getByLabel('Password link')
    await expect.poll(() => link.inputValue()).toMatch(new RegExp(`^${portal.appUrl}/password-reset/`))
  })
})

describe('in light and dark colours axe reports no violations', () => {
  test.each([
    ['wide', desktop],
    ['narrow', phone],
  ] as const)('on a %s screen, and nothing is wider than it', async (_, viewport) => {
    const name = 'a-rather-long-name-of-a-host.shop-of-a-partner.localhost'
    await query(
      gate.databaseUrl,
      `insert into tenant_names (tenant_id, name, is_host, claimed_at) values (1, $1, true, now())
        on conflict do nothing`,
      [name],
    )
    await query(gate.databaseUrl, 'update tenants set settings = settings || $1 where id = 1', [
      JSON.stringify({ 'app.public_url': `https://${name}`, 'mail.sender.address': 'security@bank.example' }),
    ])
    const page = await visitAs(reseller, at('reseller.gate', settings), { viewport })
    await proof(page, name).waitFor()
    await expectNoFindingsInAnyColour(page, 'names of a tenant')
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(excess).toBe(0)
  })
})
