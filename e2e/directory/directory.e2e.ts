import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { makeFolder, makeList, makeResource } from '../support/directory.ts'
import { uniqueWord } from '../support/signup.ts'
import { owner } from '../support/users.ts'

const { visitAs } = useVisitor()

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const toast = (page: Page, text: string) => page.locator('.toast').getByText(text, { exact: true }).first()
const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.locator('main').getByRole('link', { name, exact: true })
const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search
const members = (page: Page) => page.getByLabel(/^Members, entry/)
const values = (fields: Locator) =>
  fields.evaluateAll((found: HTMLInputElement[]) => found.map(({ value }) => value))
const invalid = (field: Locator) => expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')

describe('a distribution list', () => {
  test('is created with a user, another list and an external member, at its price', async () => {
    const inner = await makeList(uniqueWord('Inner'), ['jane@acme.test'])
    const name = uniqueWord('Outer')
    const page = await visitAs(owner, '/distlists')
    await link(page, 'New list').click()
    await title(page, 'New distribution list').waitFor()
    await page
      .getByRole('region', { name: 'Price' })
      .getByText(/^CHF\s\d+\.\d\d$/)
      .first()
      .waitFor()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Address', { exact: true }).fill(name.toLowerCase())
    const entry = page.getByLabel('Members: new entry')
    await entry.fill('jane')
    await page.getByRole('option', { name: /jane@acme\.test$/ }).click()
    await entry.fill(inner.name)
    await page.getByRole('option', { name: inner.email }).click()
    await entry.fill('friend@elsewhere.test')
    await button(page, 'Create list').click()
    await toast(page, 'The distribution list has been created.').waitFor()
    await title(page, name).waitFor()
    expect(path(page)).toMatch(/^\/distlist\/\d+$/)
    await page.getByText(`${name.toLowerCase()}@acme.test · 3 members`).waitFor()
    expect((await values(members(page))).sort()).toEqual(
      ['friend@elsewhere.test', 'jane@acme.test', inner.email].sort(),
    )
  })

  test("can't contain itself; the error is at the row", async () => {
    const inner = await makeList(uniqueWord('Inner'), ['jane@acme.test'])
    const outer = await makeList(uniqueWord('Outer'), [inner.email])
    const page = await visitAs(owner, `/distlist/${inner.id}`)
    await page.getByLabel('Members: new entry').fill(`nobody@acme.test ned@acme.test ${outer.email}`)
    await button(page, 'Save').click()
    await invalid(page.getByLabel('Members, entry 1'))
    await page.getByText('This address doesn’t exist in this account.').waitFor()
    await button(page, 'Remove nobody@acme.test').click()
    await button(page, 'Save').click()
    const row = page.getByLabel('Members, entry 2')
    await invalid(row)
    expect(await row.inputValue()).toBe(outer.email)
    await page.getByText(/^This list sends its mail back/).waitFor()
    await button(page, `Remove ${outer.email}`).click()
    await button(page, 'Save').click()
    await toast(page, 'The distribution list has been updated.').waitFor()
    await expect.poll(() => values(members(page))).toEqual(['jane@acme.test', 'ned@acme.test'])
  })

  test('is renamed, accepts a pasted column of members, and shows both in the history', async () => {
    const list = await makeList(uniqueWord('Old'), ['jane@acme.test'])
    const name = uniqueWord('Renamed')
    const page = await visitAs(owner, `/distlist/${list.id}`)
    await page.getByLabel('Name', { exact: true }).fill(name)
    const column = Array.from({ length: 40 }, (_, number) => `reader${number}@elsewhere.test`)
    await page.getByLabel('Members: new entry').fill(column.join(', '))
    await button(page, 'Add').click()
    await page.getByText('40 addresses added.').waitFor()
    await page.getByText('41 entries').waitFor()
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByText('Name, Members (40)').waitFor()
    await button(page, 'Save').click()
    await toast(page, 'The distribution list has been updated.').waitFor()
    await title(page, name).waitFor()
    await page.getByLabel('Members: search').fill('reader39')
    expect(await values(members(page))).toEqual(['reader39@elsewhere.test'])
    await page.getByRole('tab', { name: 'History' }).click()
    const change = page.getByRole('row').filter({ hasText: 'You changed the distribution list' })
    await change.getByText(owner).waitFor()
    expect(await change.innerText()).toContain(`${list.name} → ${name}`)
    expect(await change.innerText()).toContain('Members:')
  })

  test('keeps changes from two tabs', async () => {
    const list = await makeList(uniqueWord('Twice'), ['jane@acme.test'])
    const first = await visitAs(owner, `/distlist/${list.id}`)
    const second = await first.context().newPage()
    await second.goto(`/distlist/${list.id}`)
    await second.getByLabel('Members: new entry').fill('ned@acme.test')
    const name = uniqueWord('Mine')
    await first.getByLabel('Name', { exact: true }).fill(name)
    await button(second, 'Save').click()
    await toast(second, 'The distribution list has been updated.').waitFor()
    await button(first, 'Save').click()
    await first.getByText('Someone else changed this while you were editing.', { exact: true }).waitFor()
    await expectNoFindings(first, 'conflict')
    await button(first, 'Reload').click()
    await expect.poll(() => values(members(first))).toEqual(['jane@acme.test', 'ned@acme.test'])
    expect(await first.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
    await button(first, 'Save').click()
    await toast(first, 'The distribution list has been updated.').waitFor()
    await title(first, name).waitFor()
  })

  test('is restricted to its members with one choice, and opened again', async () => {
    const list = await makeList(uniqueWord('Closed'), ['jane@acme.test'])
    const page = await visitAs(owner, `/distlist/${list.id}`)
    const choice = (name: RegExp) => page.getByRole('radio', { name })
    await choice(/^Everyone/).waitFor()
    expect(await choice(/^Everyone/).isChecked()).toBe(true)
    await choice(/^Members/).check()
    await button(page, 'Save').click()
    await toast(page, 'The settings of the distribution list have been saved.').waitFor()
    await page.reload()
    await expect.poll(() => choice(/^Members/).isChecked()).toBe(true)
    await choice(/^My organization\s*Anyone with an address at .*acme\.test/).check()
    await page.getByLabel('Name', { exact: true }).fill(`${list.name} too`)
    await button(page, 'Save').click()
    await title(page, `${list.name} too`).waitFor()
    await page.reload()
    await expect.poll(() => choice(/^My organization/).isChecked()).toBe(true)
    await choice(/^Everyone/).check()
    await button(page, 'Save').click()
    await toast(page, 'The settings of the distribution list have been saved.').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Members can send').first().waitFor()
  })

  test('accepts selected senders only: people found by name, domains and suffixes', async () => {
    const list = await makeList(uniqueWord('Chosen'), ['jane@acme.test'])
    const page = await visitAs(owner, `/distlist/${list.id}`)
    await page.getByRole('radio', { name: /^Chosen senders/ }).check()
    await button(page, 'Save').click()
    await page.getByText('Add at least one sender, or choose Everyone.').waitFor()
    const entry = page.getByLabel('Allowed senders: new entry')
    await entry.fill('nobody')
    await button(page, 'Save').click()
    await page.getByText('Choose a person from the list, or type a full address or a domain.').waitFor()
    for (const sender of ['partner.test', '.org', '..wrong']) {
      await entry.fill(sender)
      await entry.press('Enter')
    }
    await button(page, 'Save').click()
    await invalid(page.getByLabel('Allowed senders, entry 1'))
    await button(page, 'Remove ..wrong').click()
    await entry.fill('jane')
    await page.getByRole('option', { name: /jane@acme\.test$/ }).click()
    await button(page, 'Save').click()
    await toast(page, 'The settings of the distribution list have been saved.').waitFor()
    await page.reload()
    const senders = page.getByLabel(/^Allowed senders, entry/)
    await senders.first().waitFor()
    expect((await values(senders)).sort()).toEqual(['.org', 'jane@acme.test', 'partner.test'])
    expect(await page.getByRole('radio', { name: /^Chosen senders/ }).isChecked()).toBe(true)
  })

  test('is deleted after a confirmation with its name, restored by undo, and restored from the list', async () => {
    const list = await makeList(uniqueWord('Gone'), ['jane@acme.test'])
    const page = await visitAs(owner, `/distlist/${list.id}`)
    await button(page, 'Delete…').click()
    const dialog = page.getByRole('dialog', { name: `Delete ${list.name}?` })
    await dialog.getByText(`${list.email} stops receiving mail.`).waitFor()
    await expectNoFindings(page, 'delete dialog')
    await dialog.getByRole('button', { name: 'Delete list' }).click()
    await toast(page, 'The distribution list has been deleted.').waitFor()
    await title(page, 'Lists').waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await toast(page, 'The distribution list has been restored.').waitFor()
    await page.goto(`/distlist/${list.id}`)
    await title(page, list.name).waitFor()

    await button(page, 'Delete…').click()
    await dialog.getByRole('button', { name: 'Delete list' }).click()
    await toast(page, 'The distribution list has been deleted.').waitFor()
    await page.getByLabel('Status').selectOption('Deleted')
    await page.waitForURL('**/distlists?status=deleted')
    await page.getByLabel('Search distribution lists').fill(list.name)
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('columnheader', { name: 'Restorable until' }).waitFor()
    await expectNoFindings(page, 'deleted lists')
    await button(page, `Restore ${list.name}`).click()
    await toast(page, 'The distribution list has been restored.').waitFor()
    await page.getByText(`No matches for “${list.name}”`).waitFor()
    await page.getByLabel('Status').selectOption('Any')
    await link(page, list.name).click()
    await title(page, list.name).waitFor()
    expect(await values(members(page))).toEqual(['jane@acme.test'])
  })

  test('is created and deleted with the keyboard only', async () => {
    const name = uniqueWord('Keys')
    const page = await visitAs(owner, '/distlist/new')
    const { keyboard } = page
    const focused = () => page.evaluate(() => document.activeElement?.id)
    await expect.poll(focused).toBe('name')
    await keyboard.type(name)
    await keyboard.press('Tab')
    await keyboard.type(name.toLowerCase())
    await keyboard.press('Tab')
    expect(await focused()).toBe('domain')
    await keyboard.press('Tab')
    await keyboard.type('jane@a')
    await page.getByRole('option', { name: /jane@acme\.test$/ }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await expect.poll(() => values(members(page))).toEqual(['jane@acme.test'])
    // Enter in the empty entry field submits the form, as in any other field.
    await keyboard.press('Enter')
    await title(page, name).waitFor()
    await button(page, 'Delete…').focus()
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await toast(page, 'The distribution list has been deleted.').waitFor()
  })

  test('warns before unsaved changes are lost, even a member that is only typed', async () => {
    const list = await makeList(uniqueWord('Slip'), ['jane@acme.test'])
    const page = await visitAs(owner, `/distlist/${list.id}`)
    await page.getByLabel('Members: new entry').fill('ned@acme.test')
    await page.getByRole('tab', { name: 'General' }).waitFor()
    await link(page, 'Lists').click()
    await page.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('Members: new entry').inputValue()).toBe('ned@acme.test')
    await button(page, 'Discard').click()
    await expect.poll(() => page.getByLabel('Members: new entry').inputValue()).toBe('')
    await link(page, 'Lists').click()
    await title(page, 'Lists').waitFor()
  })
})

describe('a resource', () => {
  test('is created with a user of the account as its manager', async () => {
    const name = uniqueWord('Room')
    const page = await visitAs(owner, '/resource/new')
    await page.getByLabel('Name', { exact: true }).fill(`${name} (big)`)
    await button(page, 'Create resource').click()
    await invalid(page.getByLabel('Name', { exact: true }))
    await page.getByLabel('Name', { exact: true }).fill(name)
    await button(page, 'Create resource').click()
    await toast(page, 'The resource has been created.').waitFor()
    await title(page, name).waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('radio', { name: /^Ask a person/ }).check()
    const decider = page.getByLabel('Who decides')
    await decider.fill('nobody@acme.test')
    await button(page, 'Save').click()
    await invalid(decider)
    await decider.fill('jane')
    await page.getByRole('option', { name: /jane@acme\.test$/ }).click()
    await button(page, 'Save').click()
    await toast(page, 'The settings of the resource have been saved.').waitFor()
    await page.reload()
    await expect.poll(() => decider.inputValue()).toBe('jane@acme.test')
    await page.getByRole('tab', { name: 'General' }).click()
    await page.getByText('Ask a person').waitFor()
  })
})

describe('a shared folder', () => {
  test('gets an alias and rights, and a right for an unknown person is rejected at its row', async () => {
    const name = uniqueWord('Desk')
    const alias = `${name.toLowerCase()}@acme.test`
    const page = await visitAs(owner, '/shared-folder/new')
    await page.getByLabel('Name', { exact: true }).fill(`Team/${name}`)
    await page.getByRole('radio', { name: 'Calendar' }).check()
    expect(await page.getByLabel('Aliases: new entry').count()).toBe(0)
    await page.getByRole('radio', { name: 'Mail' }).check()
    await page.getByLabel('Aliases: new entry').fill(alias)
    await button(page, 'Create folder').click()
    await toast(page, 'The shared folder has been created.').waitFor()
    await title(page, `Team/${name}`).waitFor()
    expect(await page.getByLabel('Aliases, entry 1').inputValue()).toBe(alias)

    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('Access: for whom').selectOption('Everyone')
    await button(page, 'Add').click()
    const entry = page.getByLabel('Access: new entry')
    await entry.fill('jane')
    await page.getByRole('option', { name: /jane@acme\.test$/ }).click()
    await page.getByLabel('Access: right of the new entry').selectOption('Can manage')
    await button(page, 'Add').click()
    await entry.fill('nobody@acme.test')
    await button(page, 'Save').click()
    await invalid(page.getByLabel('Access, entry 3'))
    await expectNoFindings(page, 'access with an error')
    await button(page, 'Remove nobody@acme.test').click()
    await page.getByLabel('Right of Everyone').selectOption('Can edit')
    await button(page, 'Save').click()
    await toast(page, 'The settings of the shared folder have been saved.').waitFor()
    await page.reload()
    const right = (who: string) => page.getByLabel(`Right of ${who}`).inputValue()
    await expect.poll(() => right('Everyone')).toBe('read-write')
    expect(await right('jane@acme.test')).toBe('full')
  })
})

describe('the object lists', () => {
  test('keep search, sort order and filters in the URL', async () => {
    const mark = uniqueWord('Order')
    for (const name of ['Beta', 'Alpha']) await makeFolder(`${mark} ${name}`, 'event')
    const page = await visitAs(owner, `/shared-folders?search=${mark}`)
    const names = () => page.getByRole('table', { name: 'Shared folders' }).getByRole('link').allInnerTexts()
    await expect.poll(names).toEqual([`${mark} Alpha`, `${mark} Beta`])
    await button(page, 'Name').click()
    await expect.poll(names).toEqual([`${mark} Beta`, `${mark} Alpha`])
    await page.waitForURL('**order=desc')
    await page.getByLabel('Status').selectOption('Deleted')
    await page.getByText(`No matches for “${mark}”`).waitFor()
    await page.goBack()
    await expect.poll(names).toEqual([`${mark} Beta`, `${mark} Alpha`])
    expect(await page.getByRole('cell', { name: 'Calendar' }).count()).toBe(2)
  })

  test("can be retried if they don't load", async () => {
    const page = await visitAs(owner, '/dashboard', { expectedErrors: ['status of 500'] })
    await page.route('**/api/v4/resources?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    const sections = page.getByRole('navigation', { name: 'Sections' })
    await sections.getByRole('link', { name: 'Resources' }).click()
    await page.getByText('Failed to load data.').waitFor()
    await page.unroute('**/api/v4/resources?*')
    await makeResource(uniqueWord('Car'))
    await button(page, 'Try again').click()
    await page.getByRole('table', { name: 'Resources' }).waitFor()
  })

  test.each(['/distlist/nonsense', '/resource/0', '/shared-folder/4294967295'])(
    'lead nowhere but to what there is: %s',
    async (address) => {
      const page = await visitAs(owner, address)
      await title(page, 'Not found').waitFor()
    },
  )

  test('and their objects are not accessible to members', async () => {
    const page = await visitAs('jane@acme.test', '/distlists')
    await title(page, 'Access denied').waitFor()
    await page.goto('/shared-folder/new')
    await title(page, 'Access denied').waitFor()
  })
})

describe('in light and dark colours axe reports no violations on', () => {
  test('any screen of lists, resources and folders on a phone', async () => {
    const list = await makeList(uniqueWord('Axe'), ['jane@acme.test', 'ned@acme.test'])
    const resource = await makeResource(uniqueWord('Axe'))
    const folder = await makeFolder(uniqueWord('Axe'), 'mail')
    const page = await visitAs(owner, '/distlists', { viewport: phone })
    const screens: [address: string, ready: Locator][] = [
      ['/distlists', page.getByRole('table')],
      ['/resources', page.getByRole('table')],
      ['/shared-folders', page.getByRole('table')],
      ['/distlists?search=nobody-has-this-name', page.getByText(/^No matches/)],
      ['/distlist/new', page.getByText('Per month')],
      ['/resource/new', page.getByText('Per month')],
      ['/shared-folder/new', page.getByText('Per month')],
      [`/distlist/${list.id}`, page.locator('.subscription')],
      [`/distlist/${list.id}?tab=history`, page.getByText(/created the distribution list/)],
      [`/resource/${resource.id}`, page.locator('.subscription')],
      [`/resource/${resource.id}?tab=settings`, page.getByRole('radio').first()],
      [`/shared-folder/${folder.id}`, page.locator('.subscription')],
      [`/shared-folder/${folder.id}?tab=settings`, page.getByLabel('Access: new entry')],
    ]
    for (const [address, ready] of screens) {
      await page.goto(address)
      await ready.first().waitFor()
      await expectNoFindingsInAnyColour(page, address)
    }
  }, 120_000)
})
