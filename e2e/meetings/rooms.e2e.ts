import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { makeRoom } from '../support/meet.ts'
import { makeUser, owner } from '../support/users.ts'

const { visitAs } = useVisitor()

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const toast = (page: Page, text: RegExp) => page.locator('.toast').getByText(text).first()
const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })
const link = (page: Page, name: string | RegExp) => page.locator('main').getByRole('link', { name })
const path = (page: Page) => new URL(page.url()).pathname

describe('a room', () => {
  test('is created, described, found, deleted and restored', async () => {
    const page = await visitAs(owner, '/rooms')
    await link(page, 'New room').click()
    await title(page, 'New room').waitFor()
    await page.getByLabel(/^Description/).fill('Board of the choir')
    await button(page, 'Create room').click()
    await page.getByText('Board of the choir').first().waitFor()
    expect(path(page)).toMatch(/^\/room\/\d+$/)
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    expect(name).toMatch(/^[a-z2-9]{3}-[a-z2-9]{3}-[a-z2-9]{3}$/)
    await page.getByLabel(/^Description/).fill('Board of both choirs')
    await button(page, 'Save').click()
    await toast(page, /updated/).waitFor()
    await page.goto('/rooms?search=both')
    await link(page, name).first().click()
    await button(page, 'Delete…').click()
    await page.getByRole('heading', { name: `Delete room ${name}?` }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete room' }).click()
    await page.waitForURL((url) => url.pathname === '/rooms')
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await link(page, name).first().waitFor()
  })

  test('is created once on a double click, from the palette too', async () => {
    const page = await visitAs(owner, '/dashboard')
    await page.locator('.jump').click()
    await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('new room')
    await page.getByRole('option', { name: 'New room' }).click()
    await title(page, 'New room').waitFor()
    await page.getByLabel(/^Description/).fill('Pressed twice')
    await button(page, 'Create room').dblclick()
    await page.waitForURL((url) => /^\/room\/\d+$/.test(url.pathname))
    await page.goto('/rooms?search=twice')
    const found = page.locator('main').getByRole('row', { name: /Pressed twice/ })
    await expect.poll(() => found.count()).toBe(1)
  })

  test('saves password, lock and moderators together, and shows an invalid moderator at its row', async () => {
    const room = await makeRoom({ shared: true })
    const jane = await makeUser('Jane', 'Moderator')
    const page = await visitAs(owner, `/room/${room.id}?tab=settings`)
    await page.getByLabel(/^Password/).fill('open sesame')
    await page.getByLabel('Locked room').check()
    await page.getByLabel('Moderators: new entry').fill('nobody@acme.test')
    await button(page, 'Save').click()
    const row = page.getByLabel('Moderators, entry 1')
    await expect.poll(() => row.getAttribute('aria-invalid')).toBe('true')
    await row.fill(jane.email)
    await button(page, 'Save').click()
    await toast(page, /.+/).waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel(/^Password/).inputValue()).toBe('open sesame')
    expect(await page.getByLabel('Locked room').isChecked()).toBe(true)

    const hers = await visitAs(jane.email, '/rooms')
    await hers.getByText('Shared with you').waitFor()
    await link(hers, room.name).first().click()
    await hers.getByRole('tab', { name: 'Settings' }).waitFor()
    expect(await hers.getByRole('tab').allTextContents()).toEqual(['Settings'])
    expect(await hers.getByLabel('Moderators: new entry').count()).toBe(0)
    expect(await button(hers, 'Delete…').count()).toBe(0)
  })

  test('becomes a shared room by selecting that kind with the keyboard', async () => {
    const room = await makeRoom()
    const page = await visitAs(owner, `/room/${room.id}`)
    const kind = page.getByRole('group', { name: 'Room type' }).getByRole('radio')
    await kind.first().focus()
    expect([await kind.count(), await kind.first().isChecked()]).toEqual([2, true])
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: 'Shared meeting room' }).isChecked()).toBe(true)
    await button(page, 'Save').click()
    await toast(page, /updated/).waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('Moderators: new entry').waitFor()
  })
})

describe('a user who does not control the account', () => {
  test('has their own room and cannot create another one', async () => {
    const ned = await makeUser('Ned', 'Member')
    const page = await visitAs(ned.email, '/rooms')
    await page
      .getByRole('table', { name: 'Rooms' })
      .or(page.getByText('Ask your account owner'))
      .first()
      .waitFor()
    expect(await link(page, 'New room').count()).toBe(0)
    await page.goto('/room/new')
    await page.getByText('Error 403').waitFor()
  })

  test("cannot open another user's room by ID or name", async () => {
    const room = await makeRoom({ config: { password: 'sesame' } })
    const page = await visitAs('solo@example.test', `/room/${room.id}`)
    await page.getByText(/^Error 40[34]$/).waitFor()
    await page.goto(`/room/${room.name}?tab=settings`)
    await page.getByText(/^Error 40[34]$/).waitFor()
    expect(await page.content()).not.toContain('sesame')
  })
})

test.each(['light', 'dark'] as const)(
  'lists and pages of rooms have no finding of axe (%s)',
  async (colorScheme) => {
    const room = await makeRoom({ shared: true, config: { locked: true } })
    const page = await visitAs(owner, '/rooms', { colorScheme })
    await link(page, room.name).first().waitFor()
    await expectNoFindings(page, 'rooms')
    await page.goto(`/room/${room.id}`)
    await title(page, room.name).waitFor()
    await page.getByLabel('Shared meeting room').waitFor()
    await expectNoFindings(page, 'room')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('Locked room').waitFor()
    await expectNoFindings(page, 'room settings')
    await button(page, 'Delete…').click()
    await page.getByRole('dialog').waitFor()
    await expectNoFindings(page, 'delete room')
  },
)

test('on a phone rooms are two-line rows with both actions, and nothing overflows the screen', async () => {
  const room = await makeRoom()
  const page = await visitAs(owner, '/rooms', { viewport: phone })
  await link(page, `Join ${room.name} (new tab)`).waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(phone.width)
})
