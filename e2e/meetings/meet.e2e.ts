import { expect, test, vi } from 'vitest'
import { useVisitor } from '../support/browser.ts'
import {
  choose,
  dialog,
  leave,
  listeners,
  log,
  poll,
  tile,
  tiles,
  toast,
  tool,
  write,
} from '../support/in-meeting.ts'
import { makeRoom, pullOut, received, seesAndHears, useRooms } from '../support/meet.ts'

const { approach, enter, enterAsOwner } = useRooms(useVisitor())

vi.setConfig({ testTimeout: 120_000 })

test('two participants see and hear each other, chat, and leave without ending the meeting', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  await write(host, 'Agenda: https://example.org/agenda <img src=x onerror=alert(1)>')
  const guest = await enter(room, { nickname: 'Jane' })
  await Promise.all([seesAndHears(host, 1), seesAndHears(guest, 1)])
  // late joiners see earlier messages, as text
  await tool(guest, /^Chat/).click()
  await log(guest).getByText('<img src=x onerror=alert(1)>').waitFor()
  const link = log(guest).getByRole('link', { name: 'https://example.org/agen…' })
  expect(await link.getAttribute('href')).toBe('https://example.org/agenda')
  expect(await link.getAttribute('rel')).toContain('noopener')
  await host.keyboard.press('Escape')
  await write(guest, 'Thank you')
  await tool(host, 'Chat, 1 unread message').waitFor()
  // the owner is asked, and the meeting continues
  await leave(host)
  await dialog(host).getByRole('button', { name: 'Leave', exact: true }).click()
  await host.waitForURL((url) => url.pathname === '/dashboard')
  await expect.poll(() => tiles(guest).count(), poll).toBe(1)
  await leave(guest)
  await guest.waitForURL((url) => url.pathname === '/login')
})

test('three participants see and hear each other', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const guests = ['Jane', 'Ned'].map((nickname) => enter(room, { nickname }))
  const pages = [host, ...(await Promise.all(guests))]
  await Promise.all(pages.map((page) => seesAndHears(page, 2)))
  for (const page of pages) expect(await tiles(page).count()).toBe(3)
})

test('six participants see and hear each other', async () => {
  const room = await makeRoom()
  // one machine encodes and renders for all
  const little = { viewport: { width: 640, height: 400 }, picture: { width: 160, height: 90 } }
  const host = await enterAsOwner(room, little)
  const guests = ['Jane', 'Ned', 'Sofia', 'Lukas', 'Elena'].map((nickname) =>
    enter(room, { ...little, nickname }),
  )
  const pages = [host, ...(await Promise.all(guests))]
  await Promise.all(pages.map((page) => seesAndHears(page, 5)))
  for (const page of pages) expect(await tiles(page).count()).toBe(6)
})

test('a shared screen is large for the others, has sound, is shown beside the camera, and disappears when it ends', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const guest = await enter(room, { nickname: 'Jane' })
  await seesAndHears(host, 1)
  await tool(guest, 'Share screen').click()
  const screen = tile(host, 'Screen of Jane')
  await screen.locator('video').waitFor()
  await seesAndHears(host, 2)
  const [large, face] = [await screen.boundingBox(), await tile(host, /^Jane/).boundingBox()]
  expect(large?.width ?? 0).toBeGreaterThan((face?.width ?? 0) * 1.5)
  await tool(guest, 'Stop sharing your screen').click()
  await screen.waitFor({ state: 'detached' })
  await seesAndHears(host, 1)
})

test('an unplugged camera is replaced by another one', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const guest = await enter(room, { nickname: 'Jane' })
  await seesAndHears(host, 1)
  await pullOut(guest, 'video')
  await toast(guest, /was disconnected\. Using the remaining devices\./).waitFor()
  await seesAndHears(host, 1)
})

test('a listener gets the floor, chooses devices, and only then is visible', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const guest = await approach(room, { refusal: 'NotFoundError' })
  await guest.getByText('No microphone or camera found').waitFor()
  await guest.getByLabel('Your name').fill('Lisa')
  await guest.getByRole('button', { name: 'Join now' }).click()
  await listeners(guest).getByText('Lisa (you)').waitFor()
  await guest.evaluate("window.refusal = ''")
  await choose(host, 'Lisa', 'Audio and video')
  await dialog(guest).getByRole('heading', { name: 'Microphone and camera' }).waitFor()
  await dialog(guest).getByText('Your microphone works').waitFor()
  expect(await received(host)).toEqual({ videos: 0, sounds: 0, frames: 0 })
  await dialog(guest).getByRole('button', { name: 'Done' }).click()
  await seesAndHears(host, 1)
})

test('the same user can join from two windows, which see each other', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const second = await host.context().newPage()
  await second.goto(`/meet/${room.name}`)
  await second.getByRole('button', { name: 'Join now' }).click()
  await expect.poll(() => tiles(second).count(), poll).toBe(2)
  await expect.poll(() => tiles(host).count(), poll).toBe(2)
  await seesAndHears(host, 1)
})
