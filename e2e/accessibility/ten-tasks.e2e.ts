import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DnsServer } from '../../packages/server/src/testing/servers/dns-server.ts'
import { createAccount } from '../support/account.ts'
import { useVisitor } from '../support/browser.ts'
import { makeList } from '../support/directory.ts'
import { fileDialog, makeFolderOf } from '../support/files.ts'
import { inside, makeRoom, meetingScript, patience, useRooms } from '../support/meet.ts'
import { portal } from '../support/portal.ts'
import { retire } from '../support/profiles.ts'
import { atCheckout } from '../support/sandbox.ts'
import { variantUrl } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { makeUser, owner } from '../support/users.ts'
import { KeyboardUser } from './keyboard-user.ts'

const visitor = useVisitor()
const { visitAs } = visitor

const main = (page: Page) => page.locator('main')
const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const tile = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Your areas' }).getByRole('link', { name, exact: true })
/** The shortcut in a tile. */
const shortcut = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Your areas' }).locator('.tile-act').and(page.getByRole('link', { name }))
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** A signed-in person on the dashboard, where every task begins. */
async function atHome(email: string, url = '/dashboard'): Promise<KeyboardUser> {
  const page = await visitAs(email, url)
  await page.getByRole('list', { name: 'Your areas' }).getByRole('link').first().waitFor()
  return new KeyboardUser(page)
}

/** Fails with the list of actions if there were more. */
function expectActs(users: readonly KeyboardUser[], most: number): void {
  const acts = users.flatMap((user) => user.acts)
  expect(acts.length, acts.join('\n')).toBeLessThanOrEqual(most)
}

let dns: DnsServer
beforeAll(async () => {
  dns = await DnsServer.start(portal.dnsPort)
})
afterAll(() => dns[Symbol.asyncDispose]())

describe('without a mouse an owner', () => {
  test('adds three users, with 2 actions', async () => {
    const user = await atHome(owner)
    const { page } = user
    await user.press(shortcut(page, 'Add people'))
    const row = (at: number) => main(page).getByRole('group', { name: new RegExp(`^(?:Row )?${at}`) })
    for (const at of [1, 2, 3]) {
      const name = uniqueWord('key')
      await user.tabTo(row(at).getByLabel('First name', { exact: true }))
      await user.type('Kim')
      await user.tabTo(row(at).getByLabel('E-mail address', { exact: true }))
      await user.type(name)
      await user.tabTo(row(at).getByLabel('External e-mail', { exact: true }))
      await user.type(`${name}@elsewhere.test`)
    }
    await user.press(button(page, 'Create 3 users'))
    await page.getByText('3 users created').waitFor()
    expectActs([user], 2)
  })

  test('makes a colleague their assistant, with 3 actions', async () => {
    const { email } = await makeUser('Dana', 'Delegate')
    const user = await atHome(owner)
    const { page } = user
    await user.press(shortcut(page, 'Add delegate'))
    await user.expectFocus(page.getByRole('combobox', { name: 'Person' }))
    await user.type(email)
    const box = dialog(page, 'Add a delegate')
    await user.tabTo(box.getByRole('radio', { checked: true }))
    await user.chooseByArrow(box.getByRole('radio', { name: /^Assistant/ }), 'ArrowDown')
    await user.strike('Enter')
    const row = page.getByRole('region', { name: 'Who can act for you' }).getByRole('row')
    await row.filter({ hasText: email }).getByText('Can send mail as owner@acme.test').waitFor()
    expectActs([user], 3)
  })

  test('adds a domain and reaches its DNS records, with 3 actions', async () => {
    const name = `${uniqueWord('keys')}.test`
    dns.zone(name)
    const user = await atHome(owner)
    const { page } = user
    await user.press(shortcut(page, 'New domain'))
    await user.expectFocus(page.getByLabel('Domain', { exact: true }))
    await user.type(name)
    await page.getByText('Due now').waitFor()
    await user.strike('Enter')
    await title(page, name).and(page.locator(':focus')).waitFor()
    await user.tabTo(page.getByRole('tab', { name: 'General' }))
    await user.chooseByArrow(page.getByRole('tab', { name: 'DNS records' }), 'ArrowRight')
    await page.getByRole('tabpanel', { name: 'DNS records' }).getByText('MX').first().waitFor()
    expectActs([user], 3)
  })

  test('creates a distribution list, with 2 actions', async () => {
    const name = uniqueWord('keylist')
    const user = await atHome(owner)
    const { page } = user
    await user.press(shortcut(page, 'New distribution list'))
    await user.expectFocus(page.getByLabel('Name', { exact: true }))
    await user.type(name)
    await user.tabTo(page.getByLabel('Members: new entry'))
    await user.type('jane@acme.test')
    const address = page.getByLabel('Address', { exact: true })
    await user.tabTo(address, { back: true })
    await user.type(name)
    await page.getByText('Due now').waitFor()
    await user.strike('Enter')
    await title(page, name).waitFor()
    expectActs([user], 2)
  })

  test('tops up 20 CHF, with 2 actions up to the page of the provider', async () => {
    const { email } = await createAccount()
    const user = await atHome(email)
    const { page } = user
    await user.press(shortcut(page, 'Top up'))
    await user.expectFocus(page.getByLabel('Amount (CHF)'))
    await user.type('20')
    await page.getByText('Balance afterwards').waitFor()
    await user.strike('Enter')
    await atCheckout(page)
    expectActs([user], 2)
  })

  test('finds out why a charge happened, with 2 actions', async () => {
    const user = await atHome(owner)
    const { page } = user
    await user.press(tile(page, 'Wallet'))
    await user.press(
      main(page)
        .getByRole('button', { name: /^Details of Subscription charges/ })
        .first(),
    )
    const details = page.getByRole('table', { name: 'History' }).locator('.data-detail')
    await details.getByText('Mailbox for jane@acme.test').waitFor()
    await details.getByText('Total', { exact: true }).waitFor()
    expectActs([user], 2)
  })

  test('finds a list by its name and closes it to all but its members, with 3 actions', async () => {
    const { name } = await makeList(uniqueWord('board'), ['jane@acme.test'])
    const user = await atHome(owner)
    const { page } = user
    await page.keyboard.press('Control+k')
    await dialog(page, 'Search').waitFor()
    await user.type(name)
    await page.getByRole('listbox').getByRole('option').filter({ hasText: name }).waitFor()
    await user.strike('Enter')
    await title(page, name).waitFor()
    await user.tabTo(page.getByRole('radio', { name: /^Everyone/ }))
    await user.chooseByArrow(page.getByRole('radio', { name: /^Members/ }), 'ArrowDown')
    const save = page.getByRole('region', { name: 'Unsaved changes' })
    await save.waitFor()
    await user.strike('Enter')
    await save.waitFor({ state: 'detached' })
    expect(await page.getByRole('radio', { name: /^Members/ }).isChecked()).toBe(true)
    expectActs([user], 3)
  })

  test('shares a folder by a link with a password, with 4 actions', async () => {
    const { name } = await makeFolderOf(uniqueWord('shared'))
    const user = await atHome(owner)
    const { page } = user
    await user.press(tile(page, 'Files'))
    await user.press(button(page, `Share ${name}`))
    await user.press(fileDialog(page).getByRole('button', { name: 'New link…' }))
    await user.tabTo(fileDialog(page).getByLabel(/^Password/))
    await user.type('Lindenhof-42')
    await user.strike('Enter')
    const links = fileDialog(page).getByRole('list', { name: 'Links' })
    await links.getByText(/with password/).waitFor()
    expectActs([user], 4)
  })

  test('starts a meeting without the setup screen and admits a guest with 2 actions, and the guest joins with 1', async () => {
    const room = await makeRoom({ config: { locked: true } })
    const { approach } = useRooms(visitor)
    const host = await atHome(owner)
    // small pictures in the new tab as well, and someone who has joined a meeting in this browser before
    await retire(host.page).context().addInitScript(meetingScript({}))
    await host.page.evaluate(() => localStorage.setItem('meet-nickname', 'Ned'))
    const [page] = await Promise.all([
      host.page.context().waitForEvent('page'),
      host.press(shortcut(host.page, /^Start meeting in /)),
    ])
    page.setDefaultTimeout(patience)
    const inRoom = new KeyboardUser(page)
    await inside(page)
    const guest = new KeyboardUser(await approach(room))
    await guest.tabTo(guest.page.getByLabel('Your name'))
    await guest.type('Tim')
    await guest.strike('Enter')
    await guest.page.getByText('Waiting for a moderator').waitFor()
    await inRoom.press(
      page.getByRole('region', { name: 'Waiting to join' }).getByRole('button', { name: 'Let in Tim' }),
    )
    await inside(guest.page)
    expectActs([host, inRoom], 2)
    expectActs([guest], 1)
  })
})

describe('without a mouse staff', () => {
  test('find a customer by half an address, suspend them and undo it, with 4 actions', async () => {
    const { email } = await makeUser('Half', 'Address')
    const user = await atHome('admin@example.test', variantUrl(portal.appUrl, 'admin', '/dashboard'))
    const { page } = user
    const field = page.getByRole('combobox', { name: 'Search customers' })
    await user.expectFocus(field)
    // neither the beginning nor the end of the address
    await user.type(email.slice(2, -5))
    await page.getByRole('listbox').getByRole('option').filter({ hasText: email }).waitFor()
    await user.strike('Enter')
    await title(page, email).waitFor()
    await user.press(button(page, 'Suspend…'))
    const box = dialog(page, `Suspend ${email}?`)
    await user.tabTo(box.getByLabel('Reason'))
    await user.type('Leg')
    await retire(page).clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await user.press(box.getByRole('button', { name: 'Suspend' }))
    // the clock stands still: there are many stops on the way to a message that is shown for twelve seconds
    const undo = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' })
    await user.press(undo, { back: true })
    await button(page, 'Suspend…').waitFor()
    await page.clock.resume()
    expectActs([user], 4)
  })

  test('invite 20 addresses of a file, with 2 actions beside the choice of the file', async () => {
    const people = Array.from({ length: 20 }, () => `${uniqueWord('csv')}@elsewhere.test`)
    const url = variantUrl(portal.appUrl, 'reseller', '/dashboard')
    const user = await atHome('reseller@partner.test', url)
    const { page } = user
    await user.press(shortcut(page, 'Invite people'))
    const box = dialog(page, 'Invite people to sign up')
    const chooser = box.locator('input[type="file"]')
    await user.tabTo(chooser)
    const buffer = Buffer.from(`E-Mail\n${people.join('\n')}\n`)
    await chooser.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await box.getByText('20 addresses will be invited.').waitFor()
    await user.press(box.getByRole('button', { name: 'Send 20 invitations' }))
    await box.waitFor({ state: 'detached' })
    await main(page)
      .getByText(people[0] ?? '')
      .first()
      .waitFor()
    expectActs([user], 2)
  })
})
