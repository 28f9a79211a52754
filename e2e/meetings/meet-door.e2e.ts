import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { useVisitor } from '../support/browser.ts'
import { focused, listeners, poll, region, tool } from '../support/in-meeting.ts'
import { inside, makeRoom, openedDevices, received, useRooms } from '../support/meet.ts'
import { startPortal } from '../support/portal.ts'
import { demoPassword, sendLogin } from '../support/sign-in.ts'
import { owner, send } from '../support/users.ts'

const { approach, enterAsOwner } = useRooms(useVisitor())

vi.setConfig({ testTimeout: 120_000 })

/** A portal without a media engine. */
const engineless = await startPortal({ MEET_ENGINES: '0', MEET_ENGINE_TOKEN: 'x'.repeat(32) })

const join = (page: Page) => page.getByRole('button', { name: 'Join now' })

test('a missing room shows a message and a way to continue', async () => {
  const page = await approach({ id: 0, name: 'no-such-room' })
  await page.getByRole('heading', { name: 'Room not found' }).waitFor()
  await page.locator('main').getByRole('link', { name: 'Go to sign-in' }).waitFor()
  // no camera is opened for a missing room
  expect(await openedDevices(page)).toBe(0)
})

test('a guest waits at a closed room, and its owner signs in without leaving the page', async () => {
  const room = await makeRoom()
  const guest = await approach(room)
  await guest.getByText('The meeting hasn’t started').waitFor()
  const page = await approach(room)
  await page.getByRole('button', { name: 'Sign in to open the room' }).click()
  await sendLogin(page, owner)
  await page.getByText('The meeting starts when you join.').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/meet/${room.name}`)
  await join(page).click()
  await inside(page)
  await guest.getByText('Meeting in progress').waitFor()
  await join(guest).click()
  await inside(guest)
})

test('a wrong password shows an error at its field every time, and the right one works', async () => {
  const room = await makeRoom({ config: { password: 'sesame' } })
  await enterAsOwner(room)
  const page = await approach(room)
  const field = page.getByLabel('Room password')
  await field.fill('wrong')
  await join(page).click()
  await page.getByText('The password is wrong. Check it and try again.').waitFor()
  await focused(field).toBe(true)
  await field.fill('sesame')
  await field.press('Enter')
  await inside(page)
})

test('after too many wrong passwords a guest waits, then joins automatically with the right one', async () => {
  const room = await makeRoom({ config: { password: 'sesame' } })
  await enterAsOwner(room)
  const page = await approach(room)
  const field = page.getByLabel('Room password')
  for (let guess = 0; !(await page.getByText('Too many requests').isVisible()); guess += 1) {
    await field.fill(`wrong ${guess}`)
    const answer = page.waitForResponse((response) => response.url().endsWith(`/meet/rooms/${room.name}`))
    await join(page).click()
    await answer
    await expect.poll(() => page.getByRole('button', { name: 'Joining…' }).count()).toBe(0)
  }
  await field.fill('sesame')
  await inside(page)
})

test("a portal that can't open the room shows an error with a retry", async () => {
  const body = { email: owner, password: demoPassword }
  const at = (path: string) => new URL(path, engineless.appUrl).href
  const { access_token: token } = await send<{ access_token: string }>(at('/api/auth/login'), { body })
  const { list } = await send<{ list: { name: string }[] }>(at('/api/v4/rooms'), { token })
  const room = { id: 0, name: list[0]?.name ?? '' }
  const coming = { as: owner, origin: engineless.appUrl, expectedErrors: ['status of 500'] }
  const page = await approach(room, coming)
  await join(page).click()
  await page.getByText('The room isn’t responding').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No one is here yet').waitFor()
})

test('a guest knocks at a locked room with a name, moderators see it, and the guest joins once accepted', async () => {
  const room = await makeRoom({ config: { locked: true } })
  const host = await enterAsOwner(room)
  const waiting = region(host, 'Waiting to join')
  const page = await approach(room)
  const ask = (one: Page) => one.getByRole('button', { name: 'Ask to join' }).click()
  await ask(page)
  const field = page.getByLabel('Your name')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await focused(field).toBe(true)
  // invisible characters come along when a name is pasted
  await field.fill('Tim \u202e<b>Brunner</b>')
  await ask(page)
  await page.getByText('Waiting for a moderator').waitFor()
  const second = await approach(room)
  await second.getByLabel('Your name').fill('Eve')
  await ask(second)
  await waiting.getByRole('button', { name: 'Deny Eve' }).waitFor()
  await expectNoFindings(host, 'waiting list')
  await waiting.getByRole('button', { name: 'Let in Tim <b>Brunner</b>' }).click()
  await waiting.getByRole('button', { name: 'Deny Eve' }).click()
  await waiting.waitFor({ state: 'detached' })
  await inside(page)
  await second.getByText('You weren’t let in').waitFor()
})

test('without devices or permission to use them, a user gets advice and joins as a listener', async () => {
  const room = await makeRoom()
  await enterAsOwner(room)
  const page = await approach(room, { refusal: 'NotAllowedError' })
  await page.getByText('Your browser blocks the microphone and camera').waitFor()
  await expectNoFindings(page, 'denied devices')
  await page.getByLabel('Your name').fill('Lisa')
  await join(page).click()
  await listeners(page).getByText('Lisa (you)').waitFor()
  expect(await tool(page, /Unmute microphone/).isDisabled()).toBe(true)
  await expect.poll(async () => (await received(page)).frames, poll).toBeGreaterThan(0)
})

test('the connection is tested, and selected devices are remembered', async () => {
  const room = await makeRoom()
  await enterAsOwner(room)
  const page = await approach(room)
  await page.getByText('Your microphone works').waitFor()
  await page.getByRole('button', { name: 'Check my connection' }).click()
  const results = page.getByRole('status', { name: 'Connection check' })
  await results.getByText('OK').nth(1).waitFor()
  await expect.poll(() => results.locator('.spinner').count(), poll).toBe(0)
  await page.getByLabel('Camera', { exact: true }).selectOption('none')
  await page.getByText('No camera').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Camera', { exact: true }).inputValue()).toBe('none')
})
