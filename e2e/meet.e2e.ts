import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from './support/axe.ts'
import { phone, useVisitor } from './support/browser.ts'
import {
  configure,
  inside,
  killEngine,
  type MadeRoom,
  makeRoom,
  patience,
  received,
  seesAndHears,
  useRooms,
} from './support/meet.ts'
import { sendLogin } from './support/sign-in.ts'
import { owner } from './support/users.ts'

const visitor = useVisitor()
const { approach, enter, enterAsOwner } = useRooms(visitor)

const slow = { timeout: 240_000 }
const poll = { timeout: patience }

const join = (page: Page) => page.getByRole('button', { name: 'Join now' })
const bar = (page: Page) => page.getByRole('navigation', { name: 'Meeting controls' })
const tool = (page: Page, name: string | RegExp) => bar(page).getByRole('button', { name })
const tile = (page: Page, name: string | RegExp) => page.getByRole('article', { name })
const tiles = (page: Page) => page.locator('.stage-tile')
const dialog = (page: Page) => page.getByRole('dialog')
const focused = (field: Locator) => expect.poll(() => field.evaluate((one) => one === document.activeElement))

/** Chooses in the menu of somebody. */
async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.locator('button:is(.stage-who, .stage-tag)').filter({ hasText: name }).first().click()
  await page.getByRole('menu').getByText(item, { exact: true }).click()
}

async function write(page: Page, message: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' })
  if (!(await field.isVisible())) await tool(page, /^Chat/).click()
  await field.fill(message)
  await field.press('Enter')
}

async function leave(page: Page): Promise<void> {
  await tool(page, 'Leave').click()
}

describe('at the door', slow, () => {
  test('of a room that there is not, one is told so and has a way on', async () => {
    const page = await approach({ id: 0, name: 'no-such-room' })
    await page.getByRole('heading', { name: 'There is no such room' }).waitFor()
    await page
      .locator('main')
      .getByRole('link', { name: /log in|login/i })
      .waitFor()
  })

  test('of a closed room a guest waits, and the owner logs in without leaving the page', async () => {
    const room = await makeRoom()
    const page = await approach(room)
    await page.getByText('The room is closed').waitFor()
    await page.getByRole('button', { name: 'I am the owner' }).click()
    await sendLogin(page, owner)
    await page.getByText('The meeting opens when you join.').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/meet/${room.name}`)
    await join(page).click()
    await inside(page)
    // a second guest is let in by the same page that told him to wait
    const guest = await approach(room, { nickname: 'Tim' })
    await guest.getByText('The meeting is on').waitFor()
  })

  test('a wrong password is told at its field, each time, and the right one opens', async () => {
    const room = await makeRoom({ config: { password: 'sesame' } })
    await enterAsOwner(room)
    const page = await approach(room)
    const field = page.getByLabel('Room password')
    await field.fill('wrong')
    await join(page).click()
    await page.getByText('This is not the password of the room.').waitFor()
    await focused(field).toBe(true)
    await field.fill('sesame')
    await field.press('Enter')
    await inside(page)
  })

  test('of a locked room one knocks with a name, is seen by the moderators, and comes in by oneself', async () => {
    const room = await makeRoom({ config: { locked: true } })
    const host = await enterAsOwner(room)
    const page = await approach(room)
    await page.getByRole('button', { name: 'Ask to join' }).click()
    const field = page.getByLabel('Your name')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await focused(field).toBe(true)
    await field.fill('Tim Brunner')
    await page.getByRole('button', { name: 'Ask to join' }).click()
    await page.getByText('Waiting for a moderator').waitFor()
    const waiting = host.getByRole('region', { name: 'Waiting to join' })
    await waiting.getByText('Tim Brunner').first().waitFor()
    await expectNoFindings(host, 'waiting list')
    await waiting.getByRole('button', { name: 'Accept Tim Brunner' }).click()
    await inside(page)
    await waiting.waitFor({ state: 'detached' })

    const second = await approach(room, {})
    await second.getByLabel('Your name').fill('Eve')
    await second.getByRole('button', { name: 'Ask to join' }).click()
    await waiting.getByRole('button', { name: 'Deny Eve' }).click()
    await second.getByText('You were not let in').waitFor()
  })

  test('who has no devices, or does not allow them, is advised and comes in as a listener', async () => {
    const room = await makeRoom()
    await enterAsOwner(room)
    const page = await approach(room, { refusal: 'NotAllowedError' })
    await page.getByText('The browser does not allow microphone and camera').waitFor()
    await expectNoFindings(page, 'denied devices')
    await page.getByLabel('Your name').fill('Lisa')
    await join(page).click()
    await page.getByRole('region', { name: 'Listeners and interpreters' }).getByText('Lisa (you)').waitFor()
    expect(await tool(page, /Unmute microphone/).isDisabled()).toBe(true)
    await expect.poll(async () => (await received(page)).frames, poll).toBeGreaterThan(0)
  })

  test('the connection is tried, and what is chosen is remembered', async () => {
    const room = await makeRoom()
    await enterAsOwner(room)
    const page = await approach(room)
    await page.getByText('Microphone works').waitFor()
    await page.getByRole('button', { name: 'Check my connection' }).click()
    const results = page.getByRole('status', { name: 'Connection check' })
    await results.getByText('good').nth(1).waitFor()
    await expect.poll(() => results.locator('.spinner').count(), poll).toBe(0)
    await page.getByLabel('Camera', { exact: true }).selectOption('none')
    await page.getByText('No camera').waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel('Camera', { exact: true }).inputValue()).toBe('none')
  })
})

describe('in a meeting', slow, () => {
  test('two see and hear each other, write, and leave without ending it', async () => {
    const room = await makeRoom()
    const host = await enterAsOwner(room)
    await write(host, 'Agenda: https://example.org/agenda <img src=x onerror=alert(1)>')
    const guest = await enter(room, { nickname: 'Jane' })
    await Promise.all([seesAndHears(host, 1), seesAndHears(guest, 1)])
    // late joiners read what was written before, as text
    await tool(guest, /^Chat/).click()
    const log = guest.getByRole('log', { name: 'Chat' })
    await log.getByText('<img src=x onerror=alert(1)>').waitFor()
    const link = log.getByRole('link', { name: 'https://example.org/agen…' })
    expect(await link.getAttribute('href')).toBe('https://example.org/agenda')
    expect(await link.getAttribute('rel')).toContain('noopener')
    await host.keyboard.press('Escape')
    await write(guest, 'Thank you')
    await host.getByRole('button', { name: 'Chat, 1 unread message' }).waitFor()
    // the owner is asked, and the meeting goes on
    await leave(host)
    await dialog(host).getByRole('button', { name: 'Leave', exact: true }).click()
    await host.waitForURL((url) => url.pathname === '/dashboard')
    await expect.poll(() => tiles(guest).count(), poll).toBe(1)
    await leave(guest)
    await guest.waitForURL((url) => url.pathname === '/login')
  })

  test('three see and hear each other', async () => {
    const room = await makeRoom()
    const pages = [
      await enterAsOwner(room),
      await enter(room, { nickname: 'Jane' }),
      await enter(room, { nickname: 'Ned' }),
    ]
    await Promise.all(pages.map((page) => seesAndHears(page, 2)))
    for (const page of pages) expect(await tiles(page).count()).toBe(3)
  })

  test('six see and hear each other', { timeout: 400_000 }, async () => {
    const room = await makeRoom()
    const pages = [await enterAsOwner(room)]
    for (const nickname of ['Jane', 'Ned', 'Sofia', 'Lukas', 'Elena']) {
      pages.push(await enter(room, { nickname, viewport: { width: 800, height: 600 } }))
    }
    await Promise.all(pages.map((page) => seesAndHears(page, 5)))
    for (const page of pages) expect(await tiles(page).count()).toBe(6)
  })

  test('a moderator mutes, takes and gives the floor, and puts somebody out for good', async () => {
    const room = await makeRoom()
    const host = await enterAsOwner(room)
    const guest = await enter(room, { nickname: 'Jane' })
    await tile(host, 'Jane').waitFor()
    // nobody moderates the owner, and a guest moderates nobody
    expect(await guest.getByRole('button', { name: /^Olivia.*: menu$/ }).count()).toBe(0)

    await choose(host, 'Jane', 'Mute for everybody')
    await tool(guest, /Unmute microphone/).waitFor()
    await tool(guest, /Unmute microphone/).click()
    await tool(guest, /^Mute microphone/).waitFor()

    await choose(host, 'Jane', 'Audio and video')
    await guest.getByRole('region', { name: 'Listeners and interpreters' }).getByText('Jane (you)').waitFor()
    await expect.poll(() => tiles(host).count(), poll).toBe(1)
    await tool(guest, /Raise hand/).click()
    await host.getByRole('region', { name: 'Raised hands' }).getByText('Jane').waitFor()
    await choose(host, 'Jane', 'Audio and video')
    await dialog(guest).getByRole('heading', { name: 'Microphone and camera' }).waitFor()
    await dialog(guest).getByRole('button', { name: 'Done' }).click()
    await seesAndHears(host, 1)
    await expect.poll(() => host.getByRole('region', { name: 'Raised hands' }).count(), poll).toBe(0)

    await choose(host, 'Jane', 'Dismiss…')
    await dialog(host).getByRole('button', { name: 'Dismiss' }).click()
    await guest.getByRole('heading', { name: 'You were put out of the meeting' }).waitFor()
    await guest.goto(`/meet/${room.name}`)
    await guest.getByText('You cannot join this meeting').waitFor()
  })

  test('a shared screen is large for the others, and gone when it ends', async () => {
    const room = await makeRoom()
    const host = await enterAsOwner(room)
    const guest = await enter(room, { nickname: 'Jane' })
    await tool(guest, 'Share screen').click()
    const screen = tile(host, 'Screen of Jane')
    await screen.locator('video').waitFor()
    const [large, face] = [await screen.boundingBox(), await tile(host, 'Jane').boundingBox()]
    expect(large?.width ?? 0).toBeGreaterThan((face?.width ?? 0) * 1.5)
    await tool(guest, 'Stop sharing the screen').click()
    await screen.waitFor({ state: 'detached' })
  })

  test('an interpreter is a name, and is heard by who chose the channel', async () => {
    const room = await makeRoom()
    const host = await enterAsOwner(room)
    const guest = await enter(room, { nickname: 'Ida' })
    await tile(host, 'Ida').waitFor()
    expect(await tool(host, 'Interpretation').count()).toBe(0)
    await choose(host, 'Ida', 'German')
    await host.getByRole('region', { name: 'Listeners and interpreters' }).getByText('Ida · DE').waitFor()
    const volumes = () =>
      host.locator('audio').evaluateAll((all: HTMLAudioElement[]) => all.map((one) => one.volume))
    await expect.poll(volumes, poll).toEqual([0])
    await tool(host, 'Interpretation').click()
    await host.getByRole('menuitemradio', { name: 'German' }).click()
    await expect.poll(volumes, poll).toEqual([1])
    await leave(guest)
    await tool(host, 'Interpretation').waitFor({ state: 'detached' })
  })

  test('options count at once for everybody, and the end is for all', async () => {
    const room = await makeRoom()
    const host = await enterAsOwner(room)
    const guest = await enter(room, { nickname: 'Jane' })
    await tool(host, 'Room options').click()
    await dialog(host).getByLabel('Locked room').check()
    await guest.getByText('Locked', { exact: true }).waitFor()
    await host.keyboard.press('Escape')
    await configure(room, { nomedia: true })
    await guest.getByText('You only watch from now on.').first().waitFor()
    await leave(host)
    await dialog(host).getByRole('button', { name: 'End for everybody' }).click()
    await guest.getByRole('heading', { name: 'The meeting is over' }).waitFor()
    await host.getByRole('heading', { name: 'The meeting is over' }).waitFor()
  })

  test('goes on within seconds when the media engine dies', async () => {
    const room = await makeRoom()
    const host = await enterAsOwner(room)
    const guest = await enter(room, { nickname: 'Jane' })
    await Promise.all([seesAndHears(host, 1), seesAndHears(guest, 1)])
    const connections = (page: Page) =>
      // put there by the script of the tests
      page.evaluate(() => (window as unknown as { connections: unknown[] }).connections.length)
    const before = await connections(guest)
    expect(killEngine()).toBeGreaterThan(0)
    await expect.poll(() => connections(guest), poll).toBeGreaterThan(before)
    await Promise.all([seesAndHears(host, 1), seesAndHears(guest, 1)])
    expect(await tiles(guest).count()).toBe(2)
  })

  test('keys work outside of fields only', async () => {
    const room = await makeRoom()
    const host = await enterAsOwner(room)
    await tool(host, /^Mute microphone/).waitFor()
    await host.keyboard.press('m')
    await tool(host, /^Unmute microphone/).waitFor()
    await host.keyboard.press('t')
    const field = host.getByRole('textbox', { name: 'Message' })
    await focused(field).toBe(true)
    await field.pressSequentially('hmm?')
    expect(await field.inputValue()).toBe('hmm?')
    await tool(host, /^Unmute microphone/).waitFor()
    await host.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await host.keyboard.press('?')
    await dialog(host).getByRole('heading', { name: 'Statistics and keys' }).waitFor()
  })
})

describe('for everybody', slow, () => {
  test.each(['light', 'dark'] as const)(
    'neither door nor meeting has a finding of axe (%s)',
    async (colorScheme) => {
      const room = await makeRoom({ config: { password: 'sesame' } })
      const host = await approach(room, { as: owner, colorScheme })
      await join(host).waitFor()
      await expectNoFindings(host, 'door')
      await join(host).click()
      await inside(host)
      const guest = await enter(room, { nickname: 'Jane', password: 'sesame', colorScheme })
      await expectNoFindings(host, 'meeting')
      await write(guest, 'Hello https://example.org')
      await expectNoFindings(guest, 'chat')
      await tool(host, 'People').click()
      await expectNoFindings(host, 'people')
      await host.getByRole('button', { name: 'Jane: menu' }).first().click()
      await expectNoFindings(host, 'menu')
      await host.keyboard.press('Escape')
      for (const name of ['Room options', 'Leave']) {
        await tool(host, name).click()
        await dialog(host).waitFor()
        await expectNoFindings(host, name)
        await host.keyboard.press('Escape')
      }
      await tool(host, 'More').click()
      await host.getByRole('menuitem', { name: 'Statistics and keys' }).click()
      await expectNoFindings(host, 'statistics')
    },
  )

  test('a phone has everything, nothing sticks out, and the panel lies above the stage', async () => {
    const room: MadeRoom = await makeRoom()
    await enterAsOwner(room)
    const page = await enter(room, { nickname: 'Ned', viewport: phone, locale: 'de-DE' })
    const controls = page.getByRole('navigation', { name: 'Steuerung der Besprechung' })
    await expect.poll(() => tiles(page).count(), poll).toBe(2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
    const buttons = await controls.getByRole('button').all()
    for (const one of buttons) {
      const box = await one.boundingBox()
      if (box) expect(box.x + box.width).toBeLessThanOrEqual(phone.width)
    }
    await controls.getByRole('button', { name: 'Mehr' }).click()
    await page.getByRole('menuitem', { name: 'Personen', exact: true }).click()
    const panel = page.getByRole('complementary', { name: 'Personen' })
    expect((await panel.boundingBox())?.width).toBe(phone.width)
    await expectNoFindings(page, 'people on a phone')
  })
})
