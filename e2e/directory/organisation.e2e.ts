import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DnsServer } from '../../packages/server/src/testing/servers/dns-server.ts'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import '../support/environment.ts'
import { portal } from '../support/portal.ts'
import { strongPassword } from '../support/sign-in.ts'
import { expectDashboard, fillAccount, reachAccount, uniqueWord } from '../support/signup.ts'
import { makeUser } from '../support/users.ts'

const { visit, visitAs } = useVisitor()

let dns: DnsServer
beforeAll(async () => {
  dns = await DnsServer.start(portal.dnsPort)
})
afterAll(() => dns[Symbol.asyncDispose]())

const domain = `${uniqueWord('firm-')}.test`
const owner = `olga@${domain}`
const password = strongPassword

interface Person {
  readonly first: string
  readonly last: string
  readonly package: 'Groupware account' | 'Mail account'
  /** Initial price per month of the package. */
  readonly begins: string
  /** Subscriptions added to the package, or removed from it. */
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
  /** Gigabytes. */
  readonly storage?: number
  /** Final price per month. */
  readonly costs: string
}

const groupware = { package: 'Groupware account', begins: 'CHF 9.90' } as const
const mail = { package: 'Mail account', begins: 'CHF 5.00' } as const

const people: readonly Person[] = [
  { first: 'Anna', last: 'Amsler', ...groupware, costs: 'CHF 9.90' },
  { first: 'Beat', last: 'Bucher', ...mail, costs: 'CHF 5.00' },
  { first: 'Carla', last: 'Conti', ...groupware, add: ['Mobile synchronisation'], costs: 'CHF 9.90' },
  { first: 'Dario', last: 'Danioth', ...groupware, add: ['Two-step verification'], costs: 'CHF 9.90' },
  { first: 'Elin', last: 'Egger', ...mail, storage: 15, costs: 'CHF 7.50' },
  { first: 'Fabio', last: 'Ferrari', ...groupware, storage: 45, costs: 'CHF 19.90' },
  { first: 'Greta', last: 'Gerber', ...mail, add: ['Groupware'], costs: 'CHF 9.90' },
  { first: 'Hugo', last: 'Huber', ...mail, add: ['Two-step verification'], storage: 6, costs: 'CHF 5.25' },
  { first: 'Ida', last: 'Inauen', ...groupware, remove: ['Groupware'], costs: 'CHF 5.00' },
  {
    ...{ first: 'Jan', last: 'Jost', ...groupware },
    ...{ add: ['Mobile synchronisation'], storage: 25, costs: 'CHF 14.90' },
  },
]

const address = ({ first }: Pick<Person, 'first'>) => `${first.toLowerCase()}@${domain}`
const isPackageOnly = ({ add, remove, storage }: Person) => !add && !remove && storage === undefined

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name })
const rows = (page: Page) => page.locator('main tbody tr:not(.data-group)')
const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

/** Expects the monthly price to be shown before anything is saved. */
function expectPrice(page: Page, price: string): Promise<void> {
  const total = page.getByRole('region', { name: 'Price' }).locator('.price-total dd')
  return expect.poll(async () => (await total.allInnerTexts()).join().replaceAll('\u00a0', ' ')).toBe(price)
}

/** Creates a user and changes the package's subscriptions where that person's differ. */
async function hire(page: Page, person: Person): Promise<void> {
  await section(page, 'Users').click()
  await page.getByRole('link', { name: 'New user' }).click()
  await page.getByLabel('First name').fill(person.first)
  await page.getByLabel('Last name').fill(person.last)
  await page.getByLabel('E-mail address').fill(person.first.toLowerCase())
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('radio', { name: person.package }).check()
  await expectPrice(page, person.begins)
  await button(page, 'Create user').click()
  await heading(page, `${person.first} ${person.last}`).waitFor()
  await page.getByText(address(person)).first().waitFor()
  if (isPackageOnly(person)) return expectPrice(page, person.costs)

  for (const name of person.remove ?? []) await page.getByRole('checkbox', { name }).uncheck()
  for (const name of person.add ?? []) await page.getByRole('checkbox', { name }).check()
  if (person.storage) await page.getByLabel('Storage: quantity').fill(String(person.storage))
  await expectPrice(page, person.costs)
  await button(page, 'Save').click()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
}

describe.sequential('an organisation', () => {
  test('is set up by one person with their own domain', async () => {
    const page = await visit('/signup/group')
    await reachAccount(page)
    await page.getByRole('checkbox', { name: 'Use my own domain' }).check()
    await page.getByRole('textbox', { name: 'Domain' }).fill(domain)
    await fillAccount(page, 'olga', undefined, password)
    await button(page, 'Create account').click()
    await expectDashboard(page)
  })

  test('verifies its domain with a DNS record', async () => {
    dns.zone(domain)
    const page = await visitAs(owner, '/dashboard')
    await section(page, 'Domains').click()
    await rows(page).getByRole('link', { name: domain }).click()
    await heading(page, domain).waitFor()
    const proof = await page.getByText(/^gatehouse-verify=\w+$/).innerText()
    dns.txt(domain, proof)
    await button(page, 'Verify now').click()
    await page.locator('.page-head .chip', { hasText: 'Active' }).waitFor()
  })

  test('creates ten users with different mailboxes, each with its price shown before saving', async () => {
    const page = await visitAs(owner, '/users')
    for (const person of people) await hire(page, person)
    await section(page, 'Users').click()
    await page.getByText(/^11 users in 1 domain/).waitFor()
    await expect.poll(() => rows(page).count()).toBe(11)
    const shown = (await rows(page).allInnerTexts()).join('\n')
    for (const person of people) expect(shown).toContain(`${person.first} ${person.last}`)
    for (const { first, last } of people) {
      await page.getByLabel('Search users').fill(last.toUpperCase())
      await expect.poll(() => rows(page).count()).toBe(1)
      await rows(page)
        .getByRole('link', { name: `${first} ${last}` })
        .waitFor()
    }
  }, 180_000)

  test('shows subscription errors at their row', async () => {
    const page = await visitAs(owner, '/users?search=fabio')
    await rows(page).getByRole('link', { name: 'Fabio Ferrari' }).click()
    const slider = page.getByLabel('Storage: quantity')
    await slider.fill('46')
    // the screen itself doesn't offer more than is available
    await page.route('**/api/v4/users/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      const body: { skus: Record<string, number> } = route.request().postDataJSON()
      const skus = Object.entries(body.skus).map(([id, count]) => [id, count === 46 ? 500 : count])
      return route.continue({ postData: JSON.stringify({ ...body, skus: Object.fromEntries(skus) }) })
    })
    await button(page, 'Save').click()
    const row = page.getByRole('listitem').filter({ has: slider })
    await row.getByText(/100/).last().waitFor()
    await expect.poll(() => slider.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => slider.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1)
    await expectNoFindings(page, 'error at a subscription')
  })

  test('lets one user act for another, who sees the delegate', async () => {
    const page = await visitAs(owner, '/users?search=anna')
    await rows(page).getByRole('link', { name: 'Anna Amsler' }).click()
    await page.getByRole('tab', { name: 'Delegation' }).click()
    await button(page, 'Add delegate…').click()
    const dialog = page.getByRole('dialog', { name: 'Add a delegate for Anna Amsler' })
    await dialog.getByLabel('Person').fill('bucher')
    await dialog.getByRole('option', { name: `Beat Bucher beat@${domain}` }).click()
    await dialog.getByRole('radio', { name: /^Custom/ }).check()
    await dialog.getByLabel('Mail', { exact: true }).selectOption('Can edit')
    for (const kind of ['Tasks', 'Contacts'])
      await dialog.getByLabel(kind, { exact: true }).selectOption('None')
    await dialog.getByRole('button', { name: 'Add delegate' }).click()
    const rights = 'Can edit mail\nCan view calendar'
    const given = page.getByRole('region', { name: 'Who can act for Anna Amsler' })
    await given.getByRole('row', { name: /Beat Bucher/ }).waitFor()
    expect((await given.getByRole('cell').allInnerTexts())[1]).toBe(rights)

    const delegate = await visitAs(`beat@${domain}`, '/settings?tab=delegation')
    const seen = delegate.getByRole('region', { name: 'Who you can act for' })
    await seen.getByRole('row', { name: /Anna Amsler/ }).waitFor()
    expect((await seen.getByRole('cell').allInnerTexts())[1]).toBe(rights)
    expect(await section(delegate, 'Activity').count()).toBe(0)
    await delegate.goto('/activity')
    await heading(delegate, 'Access denied').waitFor()
  })

  test('finds all of it in its activity, newest first', async () => {
    const page = await visitAs(owner, '/dashboard')
    await section(page, 'Activity').click()
    await heading(page, 'Activity').waitFor()
    await page.goto('/activity?size=50')
    const changed = people.filter((person) => !isPackageOnly(person))
    const changes = rows(page).filter({ hasNotText: / signed in/ })
    await expect.poll(() => changes.count()).toBe(4 + people.length + changed.length)
    const newest = changes.first()
    await newest.getByText(`You made beat@${domain} a delegate of anna@${domain}`, { exact: true }).waitFor()
    for (const text of ['Mail: can edit', 'Calendar: can view']) {
      await newest.getByText(text, { exact: true }).waitFor()
    }
    await page.getByRole('rowheader', { name: /^Today, / }).waitFor()
    await newest.getByText('127.0.0.1').waitFor()
    const oldest = rows(page).last()
    await oldest.getByText(`You opened the account ${owner}`).waitFor()
    for (const person of people) {
      const created = rows(page)
        .filter({ hasText: 'You created the user' })
        .filter({ hasText: `${person.last}` })
      await created.getByRole('link', { name: address(person) }).waitFor()
      await created.getByRole('link', { name: 'You', exact: true }).waitFor()
    }
    const moreStorage = rows(page).filter({ hasText: `You changed the subscriptions of fabio@${domain}` })
    expect(await moreStorage.innerText()).toContain('Subscriptions: Storage × 5 → Storage × 45')

    await newest.getByRole('link', { name: `anna@${domain}` }).click()
    await heading(page, 'Anna Amsler').waitFor()
    await page.goBack()
    await heading(page, 'Activity').waitFor()
  })

  test('filters its activity by object, event, person and date, and keeps the filter in the URL', async () => {
    const page = await visitAs(owner, '/activity')
    await page.getByLabel('Event').selectOption('Delegation')
    await page.getByLabel('Object').selectOption('User')
    await expect.poll(() => rows(page).count()).toBe(1)
    await rows(page).getByText('You made').waitFor()
    await page.getByLabel('Actor').fill('olga')
    const offered = page.getByRole('listbox').getByRole('option')
    await expect.poll(() => offered.allInnerTexts()).toEqual([expect.stringContaining(owner)])
    expect(path(page)).not.toContain('actor')
    await offered.click()
    const today = new Date().toLocaleDateString('sv')
    await page.getByLabel('From', { exact: true }).fill(today)
    const wanted = { objectType: 'user', event: 'delegation', actor: owner, from: today }
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(wanted)
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(await page.getByLabel('Actor').inputValue()).toBe(owner)
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(today)

    await page.getByLabel('From', { exact: true }).fill('')
    await page.getByLabel('To', { exact: true }).fill('2025-12-31')
    await page.getByText('No matches', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.waitForURL((url) => url.search === '')
    await rows(page).getByText('You created the user').first().waitFor()
    await page.goto(`/activity?event=delegation&actor=beat@${domain}`)
    await page.getByText('No matches', { exact: true }).waitFor()
  })

  test('has a distribution list, a bookable room and a shared folder', async () => {
    const page = await visitAs(owner, '/distlist/new')
    await page.getByLabel('Name', { exact: true }).fill('Crew')
    await page.getByLabel('Address', { exact: true }).fill('crew')
    await page.getByLabel('Members: new entry').fill(`anna@${domain}, beat@${domain}`)
    await button(page, 'Create list').click()
    await heading(page, 'Crew').waitFor()
    await page.getByText(`crew@${domain} · 2 members`).waitFor()
    await page.goto('/resource/new')
    await page.getByLabel('Name', { exact: true }).fill('Attic')
    await button(page, 'Create resource').click()
    await heading(page, 'Attic').waitFor()
    await page.goto('/shared-folder/new')
    await page.getByLabel('Name', { exact: true }).fill('Orders')
    await page.getByRole('radio', { name: 'Mail' }).check()
    await button(page, 'Create folder').click()
    await heading(page, 'Orders').waitFor()
    for (const [place, name] of [
      ['/distlists', 'Crew'],
      ['/resources', 'Attic'],
      ['/shared-folders', 'Orders'],
    ] as const) {
      await page.goto(place)
      const row = rows(page).filter({ hasText: name })
      await row.getByText('Active').waitFor()
    }
  })

  test('shows deleted objects in its activity without a link', async () => {
    const page = await visitAs(owner, '/users?search=jan')
    await rows(page).getByRole('link', { name: 'Jan Jost' }).click()
    await button(page, 'Delete…').click()
    const dialog = page.getByRole('dialog', { name: `Delete jan@${domain}?` })
    await dialog.getByText('The addresses stay reserved for 30 days').waitFor()
    await dialog.getByRole('button', { name: 'Delete user' }).click()
    await heading(page, 'Users').waitFor()
    await section(page, 'Activity').click()
    const gone = rows(page).filter({ hasText: `You deleted jan@${domain}` })
    await rows(page)
      .filter({ hasText: `You created the user jan@${domain} · deleted` })
      .waitFor()
    expect(await page.getByRole('link', { name: `jan@${domain}` }).count()).toBe(0)
    await gone.getByText('Jost').waitFor()
  })
})

test("the activity can be retried if it doesn't load", async () => {
  await makeUser('Retry', uniqueWord())
  const page = await visitAs('owner@acme.test', '/dashboard', { expectedErrors: ['status of 500'] })
  await page.route('**/api/v4/events?*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await section(page, 'Activity').click()
  await page.getByText('Failed to load data.').waitFor()
  await page.unroute('**/api/v4/events?*')
  await button(page, 'Try again').click()
  await page.getByRole('table', { name: 'Activity' }).waitFor()
})

test('empty activity shows what will appear there', async () => {
  const page = await visitAs('owner@acme.test', '/dashboard')
  const nothing = { list: [], count: 0, hasMore: false }
  await page.route('**/api/v4/events?*', (route) => route.fulfill({ json: nothing }))
  await section(page, 'Activity').click()
  await page.getByRole('heading', { name: 'No activity yet' }).waitFor()
  await expectNoFindings(page, 'empty record')
})

describe.each(['light', 'dark'] as const)('in %s colours axe finds nothing on', (colorScheme) => {
  test('the record of an account on a phone', async () => {
    await makeUser('Record', uniqueWord())
    const page = await visitAs('owner@acme.test', '/activity', { viewport: phone, colorScheme })
    await rows(page).getByText('You created the user').first().waitFor()
    await expectNoFindings(page, 'activity')
    await page.goto('/activity?event=mail&actor=nobody@acme.test')
    await page.getByText('No matches', { exact: true }).waitFor()
    await expectNoFindings(page, 'activity, nothing found')
  })
})
