import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { dialog, leave, poll, region, tiles, tool, write } from '../support/in-meeting.ts'
import { inside, makeRoom, useRooms } from '../support/meet.ts'
import { owner } from '../support/users.ts'

const { approach, enter, enterAsOwner } = useRooms(useVisitor())

vi.setConfig({ testTimeout: 120_000 })

test.each(['light', 'dark'] as const)(
  'neither door nor meeting has a finding of axe (%s)',
  async (colorScheme) => {
    const room = await makeRoom({ config: { password: 'sesame' } })
    const host = await approach(room, { as: owner, colorScheme })
    const join = host.getByRole('button', { name: 'Join now' })
    await join.waitFor()
    await expectNoFindings(host, 'door')
    await join.click()
    await inside(host)
    const guest = await enter(room, { nickname: 'Jane', password: 'sesame', colorScheme })
    await expectNoFindings(host, 'meeting')
    await write(guest, 'Hello https://example.org')
    await expectNoFindings(guest, 'chat')
    await tool(host, 'People').click()
    await expectNoFindings(host, 'people')
    await host.getByRole('button', { name: 'Menu for Jane' }).first().click()
    await expectNoFindings(host, 'menu')
    await host.keyboard.press('Escape')
    for (const name of ['Room options', 'Leave']) {
      await tool(host, name).click()
      await dialog(host).waitFor()
      await expectNoFindings(host, name)
      await host.keyboard.press('Escape')
    }
    await tool(host, 'More').click()
    await host.getByRole('menuitem', { name: 'Statistics and shortcuts' }).click()
    await expectNoFindings(host, 'statistics')
    await host.keyboard.press('Escape')
    await leave(host)
    await dialog(host).getByRole('button', { name: 'End for everyone' }).click()
    await guest.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
    await expectNoFindings(guest, 'end')
  },
)

const sticksOut = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)

test('a phone has all controls, nothing overflows, and the panel does not cover them', async () => {
  const room = await makeRoom()
  await enterAsOwner(room)
  const page = await enter(room, { nickname: 'Ned', viewport: phone, locale: 'de-DE' })
  const controls = page.getByRole('navigation', { name: 'Steuerung der Besprechung' })
  await expect.poll(() => tiles(page).count(), poll).toBe(2)
  expect(await sticksOut(page)).toBe(false)
  for (const one of await controls.getByRole('button').all()) {
    const box = await one.boundingBox()
    if (box) expect(box.x + box.width).toBeLessThanOrEqual(phone.width)
  }
  await controls.getByRole('button', { name: 'Mehr' }).click()
  await page.getByRole('menuitem', { name: 'Personen', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Personen' })
  expect((await panel.boundingBox())?.width).toBe(phone.width)
  await expectNoFindings(page, 'people on a phone')
  await controls.getByRole('button', { name: /^Mikrofon/ }).click()
  await controls.getByRole('button', { name: 'Chat' }).click()
  await page.getByRole('textbox', { name: 'Nachricht' }).fill('Hallo')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('Hallo').waitFor()
  await controls.getByRole('button', { name: 'Chat' }).click()
  await panel.waitFor({ state: 'detached' })
  expect(await sticksOut(page)).toBe(false)
})

test('people who wait to join are announced and shown on a phone too', async () => {
  const room = await makeRoom({ config: { locked: true } })
  const host = await enter(room, { as: owner, viewport: phone })
  for (const name of ['Tim', 'Eve', 'Bo']) {
    const page = await approach(room)
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: 'Ask to join' }).click()
    await region(host, 'Waiting to join').getByText(name).first().waitFor()
  }
  await host.getByRole('button', { name: '3 waiting' }).waitFor()
  expect(await sticksOut(host)).toBe(false)
  await expectNoFindings(host, 'waiting list on a phone')
  await leave(host)
  for (const button of await dialog(host).getByRole('button').all()) {
    const box = await button.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(phone.width)
  }
})
