import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDataFolder } from '../../packages/server/src/testing/data-folder.ts'
import { DnsServer } from '../../packages/server/src/testing/servers/dns-server.ts'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { ownDatabase, type ServerProcess, startServer } from '../support/server-process.ts'
import { demoPassword, signIn } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { owner } from '../support/users.ts'

const visitor = useVisitor()
const { visit } = visitor

/** Timeout for the background check, in milliseconds: due after a minute, and polled every minute. */
const patience = 180_000

let dns: DnsServer
let server: ServerProcess
let dataDir = ''
let database: Awaited<ReturnType<typeof ownDatabase>>
let token = ''
/** A domain whose record exists from the beginning, for the background check. */
let early: AddedDomain

interface AddedDomain {
  id: number
  name: string
  proof: string
}

beforeAll(async () => {
  dns = await DnsServer.start()
  dataDir = await makeDataFolder('domains')
  database = await ownDatabase()
  server = await startServer({
    DATA_DIR: dataDir,
    DEMO: '1',
    DNS_SERVERS: dns.address,
    DNS_TIMEOUT: '500',
    ...database.settings,
  })
  const login = await send<{ access_token: string }>('/api/auth/login', {
    email: owner,
    password: demoPassword,
  })
  token = login.access_token
  early = await addDomain('early')
  dns.txt(early.name, early.proof)
})

afterAll(async () => {
  await server.stop()
  await database.drop()
  await dns[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
})

/** An API call without a browser; a POST if it has a body. */
async function send<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(new URL(path, server.url), {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Adds a domain that exists in the DNS but has no records. */
async function addDomain(start: string): Promise<AddedDomain> {
  const name = `${uniqueWord(start)}.test`
  dns.zone(name)
  const packages = await send<{ id: string; isDomain: boolean }[]>('/api/v4/packages')
  const chosen = packages.find(({ isDomain }) => isDomain)?.id
  const { id } = await send<{ id: number }>('/api/v4/domains', { namespace: name, package: chosen })
  const { hash_text } = await send<{ hash_text: string }>(`/api/v4/domains/${id}`)
  return { id, name, proof: hash_text }
}

async function confirmedDomain(start: string): Promise<AddedDomain> {
  const domain = await addDomain(start)
  dns.txt(domain.name, domain.proof)
  await send(`/api/v4/domains/${domain.id}/confirm`, {})
  return domain
}

async function visitAs(email: string, path: string, options: VisitOptions = {}): Promise<Page> {
  return visitor.visitAs(email, new URL(path, server.url).href, options)
}

const goto = (page: Page, path: string) => page.goto(new URL(path, server.url).href)
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()
const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })
const chip = (page: Page, name: string) => page.locator('.page-head .chip', { hasText: name })
const table = (page: Page) => page.getByRole('table', { name: 'Domains' })
const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

describe('a new domain', () => {
  test('is added, verified with a DNS record and activated, with its mail records checked', async () => {
    const name = `${uniqueWord('press')}.test`
    dns.zone(name)
    const page = await visitAs(owner, '/domains')
    await page.locator('main').getByRole('link', { name: 'New domain' }).first().click()
    await title(page, 'New domain').waitFor()
    const field = page.getByLabel('Domain', { exact: true })
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await page.getByRole('radio').first().isChecked()).toBe(true)
    await field.fill(name)
    await button(page, 'Add domain').click()
    await toast(page, 'The domain has been added.').waitFor()
    await title(page, name).waitFor()
    expect(path(page)).toMatch(/^\/domain\/\d+$/)
    await chip(page, 'Not ready').waitFor()
    const confirm = button(page, 'Verify now')
    // the explanation comes first, and the page starts at its top
    await title(page, name).and(page.locator(':focus')).waitFor()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)

    await confirm.click()
    await page
      .getByText(/^The verification record wasn’t found/)
      .first()
      .waitFor()
    await page.getByText(/^Not found yet as of/).waitFor()
    const proof = await page
      .locator('.domains-proof')
      .getByText(/^gatehouse-verify=\w+$/)
      .innerText()
    await page.getByText(proof.replace('gatehouse', 'kolab')).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy value of the text record' }).click()
    await page.locator('.domains-proof').getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(proof)

    dns.txt(name, proof)
    await confirm.click()
    await toast(page, 'The domain has been verified.').waitFor()
    await chip(page, 'Active').waitFor()
    expect(await page.getByText('The domain is almost ready').count()).toBe(0)

    await page.getByRole('tab', { name: 'DNS records' }).click()
    await page.waitForURL('**tab=dns')
    await page
      .locator('main')
      .getByRole('button', { name: /^Check (now|again)$/ })
      .click()
    await row(page, 'Incoming mail').getByText('Missing').waitFor()
    const wanted = await row(page, 'Incoming mail').locator('.records-wanted code').innerText()
    const [preference, exchange = ''] = wanted.split(' ')
    const data = { preference: Number(preference), exchange: exchange.replace(/\.$/, '') }
    dns.add({ name, type: 'MX', data })
    dns.txt(name, 'v=spf1 a mx -all')
    await button(page, 'Check again').click()
    await row(page, 'Incoming mail').getByText('Found', { exact: true }).last().waitFor()
    const spf = row(page, 'Lists the servers')
    await spf.getByText('Differs').waitFor()
    expect(await spf.locator('mark').allInnerTexts()).toEqual(['a mx -all'])
    await page.getByText(/of 7 records correct · checked/).waitFor()
  })

  test('after the first one is quoted at the price that the wallet shows later', async () => {
    const name = `${uniqueWord('second')}.test`
    const page = await visitAs(owner, '/domain/new')
    const quoted = page.getByRole('complementary', { name: 'Price' })
    await quoted.getByText('Per month').waitFor()
    // CHF 1.00 a month less the owner's discount of 30 %
    const price = /CHF\s0\.70/
    await expect.poll(() => quoted.innerText()).toMatch(price)
    expect(await page.locator('.subscription-price').innerText()).toMatch(/^CHF\s0\.70\/month¹$/)
    await page.getByLabel('Domain', { exact: true }).fill(name)
    await button(page, 'Add domain').click()
    await title(page, name).waitFor()
    await goto(page, '/wallet?tab=costs')
    await page.getByLabel('Search costs').fill(name)
    await expect.poll(() => row(page, name).innerText()).toMatch(price)
  })

  test('is rejected with errors at the field', async () => {
    const page = await visitAs(owner, '/domain/new')
    const field = page.getByLabel('Domain', { exact: true })
    await button(page, 'Add domain').click()
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    for (const name of ['not a domain', 'acme.test', 'com']) {
      await field.fill(name)
      await button(page, 'Add domain').click()
      await expect.poll(() => field.getAttribute('aria-invalid'), { message: name }).toBe('true')
      await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    }
    expect(path(page)).toBe('/domain/new')
    await expectNoFindings(page, 'new domain with an error')
  })

  test('is verified without a click once its record is found', { timeout: patience + 20_000 }, async () => {
    const page = await visitAs(owner, `/domain/${early.id}`)
    await title(page, early.name).waitFor()
    await chip(page, 'Active').waitFor({ timeout: patience })
    await page.getByRole('heading', { name: 'Mail records' }).waitFor()
  })
})

describe('a domain', () => {
  test('has servers exempt from SPF, with errors at invalid ones', async () => {
    const { id } = await confirmedDomain('spf')
    const page = await visitAs(owner, `/domain/${id}?tab=settings`)
    await page.getByLabel('Host names: new entry').fill('.forwarder.example.org')
    await button(page, 'Add').click()
    await page.getByLabel('Host names: new entry').fill('no dot')
    await button(page, 'Save').click()
    const wrong = page.getByLabel('Host names, entry 2')
    await expect.poll(() => wrong.getAttribute('aria-invalid')).toBe('true')
    await wrong.fill('.lists.example.net')
    await button(page, 'Save').click()
    await toast(page, 'The domain settings have been saved.').waitFor()
    await page.reload()
    await expect.poll(() => wrong.inputValue()).toBe('.lists.example.net')
    await page.getByRole('tab', { name: 'History' }).click()
    await page
      .getByText(/^You changed the settings of the domain/)
      .first()
      .waitFor()
  })

  test('that is empty is deleted after a confirmation with its name, and can be restored', async () => {
    const { id, name } = await confirmedDomain('gone')
    const page = await visitAs(owner, `/domain/${id}`)
    await button(page, 'Delete…').click()
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` })
    await dialog.getByText('You can restore it for 30 days.', { exact: false }).waitFor()
    await expectNoFindings(page, 'delete dialog')
    await dialog.getByRole('button', { name: 'Delete domain' }).click()
    await toast(page, 'The domain has been deleted.').waitFor()
    await title(page, 'Domains').waitFor()
    await page.getByLabel('Search domains').fill(name)
    await page.getByText(`No matches for “${name}”`).waitFor()
    await page.getByLabel('Status').selectOption('Deleted')
    await page.waitForURL('**status=deleted')
    await row(page, name).getByRole('button', { name: 'Restore' }).click()
    await page
      .getByText(/^The domain has been restored/)
      .first()
      .waitFor()
    await page.getByLabel('Status').selectOption('Any')
    await table(page).getByRole('link', { name }).click()
    await title(page, name).waitFor()
  })

  test("that has addresses shows why it can't be deleted", async () => {
    const page = await visitAs(owner, '/domains')
    await table(page).getByRole('link', { name: 'acme.test', exact: true }).click()
    await title(page, 'acme.test').waitFor()
    await button(page, 'Delete…').click()
    const dialog = page.getByRole('dialog', { name: 'Delete acme.test?' })
    await dialog.getByText('The domain is still in use.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete domain' }).isDisabled()).toBe(true)
    await dialog.getByRole('link', { name: 'Show these users' }).click()
    await title(page, 'Users').waitFor()
    expect(await page.getByLabel('Search users').inputValue()).toBe('@acme.test')
  })

  test.each(['nonsense', '0', '4294967295'])('that is none, %s, is not found', async (id) => {
    const page = await visitAs(owner, `/domain/${id}`)
    await title(page, 'Not found').waitFor()
  })

  test('is offered for new users once it is verified', async () => {
    const { name } = await confirmedDomain('offer')
    const open = await addDomain('open')
    const page = await visitAs(owner, '/user/new')
    const choices = page.locator('#domain-choice option')
    await choices.first().waitFor({ state: 'attached' })
    const offered = await choices.allInnerTexts()
    expect(offered[0]).toBe('acme.test')
    expect(offered).toContain(name)
    expect(offered).not.toContain(open.name)
  })
})

describe('the list of domains', () => {
  test('keeps search, sort order and filters in the URL', async () => {
    const mark = uniqueWord('row')
    const names: string[] = []
    for (const letter of ['a', 'b', 'c']) names.push((await addDomain(`${letter}-${mark}-`)).name)
    const page = await visitAs(owner, '/domains')
    await page.getByLabel('Search domains').fill(mark)
    await page.waitForURL(`**/domains?search=${mark}`)
    await page.getByText('1–3 of 3').waitFor()
    await page.getByRole('button', { name: 'Domain', exact: true }).click()
    await page.waitForURL('**order=desc')
    await expect.poll(() => table(page).getByRole('link').allInnerTexts()).toEqual(names.reverse())
    await page.getByLabel('Status').selectOption('Active')
    await page.getByText(`No matches for “${mark}”`).waitFor()
    await page.reload()
    await page.getByText(`No matches for “${mark}”`).waitFor()
    await button(page, 'Show all').click()
    await table(page).getByRole('link', { name: 'acme.test', exact: true }).waitFor()
  })

  test("can be retried if it doesn't load", async () => {
    const page = await visit(new URL('/dashboard', server.url).href, { expectedErrors: ['status of 500'] })
    await signIn(page, owner)
    await page.route('**/api/v4/domains?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Domains' }).click()
    await page.getByText('Failed to load data.').waitFor()
    await page.unroute('**/api/v4/domains?*')
    await button(page, 'Try again').click()
    await table(page).waitFor()
  })

  test('is not accessible without permission to see domains', async () => {
    const page = await visitAs('jane@acme.test', '/domains')
    await title(page, 'Access denied').waitFor()
    await goto(page, '/domain/new')
    await title(page, 'Access denied').waitFor()
  })
})

test('in German the records of a domain fit a phone screen', async () => {
  const { id } = await confirmedDomain('wide')
  const page = await visitAs(owner, `/domain/${id}?tab=dns`, { viewport: phone, locale: 'de-DE' })
  await page.getByText('DKIM RSA').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})

describe.each(['light', 'dark'] as const)('in %s colours axe finds nothing on', (colorScheme) => {
  test('any screen of domains on a phone', async () => {
    const open = await addDomain('axe')
    const { id } = await confirmedDomain('axe')
    const page = await visitAs(owner, '/domains', { viewport: phone, colorScheme })
    await table(page).getByRole('link').first().waitFor()
    await expectNoFindings(page, 'domains')
    await goto(page, '/domains?status=deleted')
    await page
      .locator('.page-head')
      .getByText(/\d+ domains/)
      .waitFor()
    await expectNoFindings(page, 'deleted domains')
    await goto(page, '/domain/new')
    await page.getByText('Due now').waitFor()
    await expectNoFindings(page, 'new domain')
    await goto(page, `/domain/${open.id}`)
    await page.getByText('If you edit zone files').click()
    await page.getByRole('checkbox').waitFor()
    await expectNoFindings(page, 'domain to confirm')
    await goto(page, `/domain/${id}`)
    await page.getByRole('heading', { name: 'Mail records' }).waitFor()
    await expectNoFindings(page, 'confirmed domain')
    for (const tab of ['DNS records', 'Settings', 'History']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).locator('.panel').first().waitFor()
      await expectNoFindings(page, tab)
    }
  })
})
