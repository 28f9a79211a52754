import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { useVisitor } from '../support/browser.ts'
import {
  choose,
  dialog,
  focused,
  leave,
  listeners,
  log,
  poll,
  region,
  tile,
  tiles,
  toast,
  tool,
  write,
} from '../support/in-meeting.ts'
import { configure, hasLiveDevices, inside, makeRoom, seesAndHears, useRooms } from '../support/meet.ts'
import { owner, ownerToken } from '../support/users.ts'

const { approach, enter, enterAsOwner } = useRooms(useVisitor())

vi.setConfig({ testTimeout: 120_000 })

/** The latest announcement to screen readers. */
const said = (page: Page, sentence: string | RegExp) =>
  page.locator('p[role="status"]').getByText(sentence).waitFor({ state: 'attached' })

test('a moderator mutes a guest, grants and revokes the floor, and removes them for the rest of the meeting', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const guest = await enter(room, { nickname: 'Jane' })
  await tile(host, 'Jane').waitFor()
  // the owner can't be moderated, and guests can't moderate
  expect(await guest.getByRole('button', { name: /^Menu for Olivia/ }).count()).toBe(0)

  await choose(host, 'Jane', 'Mute for everyone')
  await tool(guest, /Unmute microphone/).click()
  await tool(guest, /^Mute microphone/).waitFor()

  await choose(host, 'Jane', 'Audio and video')
  await listeners(guest).getByText('Jane (you)').waitFor()
  await expect.poll(() => tiles(host).count(), poll).toBe(1)
  await tool(guest, /Raise hand/).click()
  await region(host, 'Raised hands').getByText('Jane').waitFor()
  await choose(host, 'Jane', 'Audio and video')
  await dialog(guest).getByRole('heading', { name: 'Microphone and camera' }).waitFor()
  await dialog(guest).getByRole('button', { name: 'Done' }).click()
  await seesAndHears(host, 1)
  await expect.poll(() => region(host, 'Raised hands').count(), poll).toBe(0)

  await choose(host, 'Jane', 'Remove…')
  await dialog(host).getByRole('button', { name: 'Remove' }).click()
  await guest.getByRole('heading', { name: 'You were removed from the meeting' }).waitFor()
  await guest.goto(`/meet/${room.name}`)
  await guest.getByText('You can’t join this meeting').waitFor()
})

test('a participant who is made a moderator can moderate, but not the owner', async () => {
  const room = await makeRoom({ config: { locked: true } })
  const host = await enterAsOwner(room)
  const [jane, tim] = [await approach(room), await approach(room)]
  const knock = async (page: Page, name: string) => {
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: 'Ask to join' }).click()
  }
  await knock(jane, 'Jane')
  await region(host, 'Waiting to join').getByRole('button', { name: 'Let in Jane' }).click()
  await inside(jane)
  await choose(host, 'Jane', 'Moderator')
  await toast(jane, 'You’re now a moderator.').waitFor()
  await jane
    .getByRole('button', { name: /^Menu for Olivia/ })
    .first()
    .click()
  expect(await jane.getByRole('menu').getByRole('menuitem').allTextContents()).toEqual(['Ask to mute'])
  await jane.keyboard.press('Escape')
  expect(await tool(jane, 'Room options').count()).toBe(0)
  await knock(tim, 'Tim')
  // both moderators are asked; one answer is enough
  await region(jane, 'Waiting to join').getByRole('button', { name: 'Let in Tim' }).waitFor()
  await tool(host, 'People').click()
  await region(host, 'Waiting to join').getByRole('button', { name: 'Deny Tim' }).click()
  await region(jane, 'Waiting to join').waitFor({ state: 'detached' })
})

test('an interpreter is shown by name and heard by participants who chose the channel', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const guest = await enter(room, { nickname: 'Ida' })
  await tile(host, 'Ida').waitFor()
  expect(await tool(host, 'Interpretation').count()).toBe(0)
  await choose(host, 'Ida', 'German')
  await listeners(host).getByText('Ida · DE').waitFor()
  const volumes = () =>
    host.locator('audio').evaluateAll((all: HTMLAudioElement[]) => all.map((one) => one.volume))
  await expect.poll(volumes, poll).toEqual([0])
  await tool(host, 'Interpretation').click()
  await host.getByRole('menuitemradio', { name: 'German' }).click()
  await expect.poll(volumes, poll).toEqual([1])
  await leave(guest)
  await tool(host, 'Interpretation').waitFor({ state: 'detached' })
})

test('options and the end of the meeting take effect for everyone immediately', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const guest = await enter(room, { nickname: 'Jane' })
  await tool(host, 'Room options').click()
  await dialog(host).getByLabel('Locked room').check()
  await guest.getByText('Locked', { exact: true }).waitFor()
  await dialog(host).getByRole('button', { name: 'Set password' }).click()
  await dialog(host).getByLabel('Password', { exact: true }).fill('sesame')
  await dialog(host).getByRole('button', { name: 'Save' }).click()
  await said(guest, 'The room now has a password.')
  await focused(dialog(host).getByRole('button', { name: 'Show or change' })).toBe(true)
  await host.keyboard.press('Escape')
  await configure(room, { nomedia: true })
  await toast(guest, 'You can only watch now.').waitFor()
  await leave(host)
  await dialog(host).getByRole('button', { name: 'End for everyone' }).click()
  await guest.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
  await host.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
})

test('deleting a room ends its meeting', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const guest = await enter(room, { nickname: 'Jane' })
  const answer = await host.request.delete(`/api/v4/rooms/${room.id}`, {
    headers: { Authorization: `Bearer ${await ownerToken()}` },
  })
  expect(answer.status()).toBe(200)
  await guest.getByRole('heading', { name: 'This room no longer exists' }).waitFor()
  await host.getByRole('heading', { name: 'This room no longer exists' }).waitFor()
  for (const page of [host, guest]) expect(await hasLiveDevices(page)).toBe(false)
})

test('a participant who navigates back leaves the meeting immediately', async () => {
  const room = await makeRoom()
  const host = await approach(room, { as: owner })
  await host.goto('/dashboard')
  // as an in-app link does
  await host.evaluate(`history.pushState({}, '', '/meet/${room.name}')`)
  await host.getByRole('button', { name: 'Join now' }).click()
  await inside(host)
  const guest = await enter(room, { nickname: 'Jane' })
  await host.goBack()
  await said(guest, / left\.$/)
  await host.waitForURL((url) => url.pathname === '/dashboard')
  expect(await host.locator('body.in-meeting').count()).toBe(0)
  expect(await hasLiveDevices(host)).toBe(false)
})

test('a second click does not join twice', async () => {
  const room = await makeRoom()
  const page = await approach(room, { as: owner })
  const questions: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/meet/rooms/${room.name}`)) questions.push(request.postData() ?? '')
  })
  await page.getByRole('button', { name: 'Join now' }).dblclick()
  await inside(page)
  expect(questions.filter((body) => JSON.parse(body).init === 1)).toHaveLength(1)
})

test('chat messages and display names are rendered as text only', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  const name = '"><img src=x onerror=alert(1)>'
  const guest = await enter(room, { nickname: name })
  await tile(host, name).waitFor()
  await write(guest, 'x'.repeat(100_000))
  await write(guest, '\u202egpj.exe javascript:alert(1) https://a.test@b.test/')
  await tool(host, /^Chat/).click()
  await log(host).getByText('javascript:alert(1)').waitFor()
  expect(await log(host).getByRole('link').count()).toBe(0)
  expect((await log(host).getByText(/^x+$/).textContent())?.length).toBe(2000)
  await tool(host, 'People').click()
  await host.getByRole('complementary', { name: 'People' }).getByText(name).waitFor()
  expect(await host.locator('.stage img').count()).toBe(0)
  expect(await host.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('shortcuts work outside of input fields only, and can be disabled', async () => {
  const room = await makeRoom()
  const host = await enterAsOwner(room)
  await tool(host, /^Mute microphone/).waitFor()
  await host.keyboard.press('m')
  await tool(host, /Unmute microphone/).waitFor()
  await host.keyboard.press('t')
  const field = host.getByRole('textbox', { name: 'Message' })
  await focused(field).toBe(true)
  await field.pressSequentially('hmm?')
  expect(await field.inputValue()).toBe('hmm?')
  await tool(host, /Unmute microphone/).waitFor()
  await host.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await host.keyboard.press('?')
  await dialog(host).getByRole('heading', { name: 'Statistics and shortcuts' }).waitFor()
  await dialog(host).getByLabel('Use single-key shortcuts in this meeting').uncheck()
  await host.keyboard.press('Escape')
  await dialog(host).waitFor({ state: 'detached' })
  await host.keyboard.press('t')
  await host.keyboard.press('m')
  await tool(host, /Unmute microphone/).waitFor()
  expect(await field.count()).toBe(0)
})
