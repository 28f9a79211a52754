import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { createAccount } from '../support/account.ts'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { codeIn, mailTo } from '../support/mail.ts'
import { portal } from '../support/portal.ts'
import { passwordOf, sendLogin, signIn } from '../support/sign-in.ts'
import { makeUser } from '../support/users.ts'

const { visit } = useVisitor()

/** A user of the demo's account that no other test uses. */
async function somebody(): Promise<string> {
  return (await makeUser('Companion', Math.random().toString(36).slice(2, 10))).email
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Creates a device in the portal and returns its pairing link; the page stays open. */
async function createDevice(page: Page, name: string): Promise<string> {
  await page.goto('/companions')
  await page.locator('main').getByRole('button', { name: 'Add device' }).first().click()
  await page.getByLabel('Name').fill(name)
  await button(page, 'Continue').click()
  await heading(page, name).waitFor()
  await button(page, 'Show code').click()
  return page
    .locator('main')
    .getByText(/companion-app#/)
    .innerText()
}

/** Opens a pairing link on a phone. */
async function openOnPhone(link: string, options: VisitOptions = {}): Promise<Page> {
  const { pathname, hash } = new URL(link)
  return visit(pathname + hash, { viewport: phone, ...options })
}

async function pairOnPhone(link: string): Promise<Page> {
  const device = await openOnPhone(link)
  await button(device, 'Pair device').click()
  await heading(device, 'Waiting for your approval').waitFor()
  return device
}

async function shownNumber(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Approve on your device' })
  return dialog.getByText(/^\d\d$/).innerText()
}

describe('a companion device', () => {
  test('is paired by link, and confirms a sign-in with the number on the screen', async () => {
    const email = await somebody()
    const page = await visit('/login')
    await signIn(page, email)
    const link = await createDevice(page, 'My phone')
    const device = await openOnPhone(link)
    await heading(device, 'Pair this device').waitFor()
    await expectNoFindings(device)
    // the secret is removed from the URL
    expect(device.url()).not.toContain('#')
    await device.getByLabel('Device name').fill('Pocket')
    await button(device, 'Pair device').click()
    await heading(device, 'Waiting for your approval').waitFor()
    await page.getByText('Device paired.').waitFor()
    await heading(page, 'Pocket').waitFor()

    const other = await visit('/login')
    await sendLogin(other, email)
    const number = await shownNumber(other)
    await expectNoFindings(other)
    await device.getByText('Are you signing in?').waitFor()
    await device.getByText(email).first().waitFor()
    await expectNoFindings(device)
    await device.getByLabel('Number on the other screen').fill(number === '42' ? '43' : '42')
    await button(device, 'Yes, approve').click()
    await device
      .getByText('This isn’t the number shown on the sign-in screen. Check it and try again.')
      .waitFor()
    await device.getByLabel('Number on the other screen').fill(number)
    await button(device, 'Yes, approve').click()
    await device.getByText('Sign-in approved.').waitFor()
    await other.waitForURL('**/dashboard')

    // the address is trusted for eight hours now
    const third = await visit('/login')
    await signIn(third, email)
    await device.getByText(/^Approved until/).waitFor()
  })

  test('allows a sign-in once or rejects it, as its owner decides', async () => {
    const email = await somebody()
    const page = await visit('/login')
    await signIn(page, email)
    const device = await pairOnPhone(await createDevice(page, 'My phone'))

    const once = await visit('/login')
    await sendLogin(once, email)
    await device.getByLabel('Number on the other screen').fill(await shownNumber(once))
    await device.getByLabel('Don’t ask again for 8 hours').uncheck()
    await button(device, 'Yes, approve').click()
    await once.waitForURL('**/dashboard')

    const again = await visit('/login')
    await sendLogin(again, email)
    await device.getByLabel('Number on the other screen').waitFor()
    await button(device, 'No, it’s not me').click()
    await again.getByText('The sign-in was denied on your device.').waitFor()
    await device.getByText(/someone knows your password/).waitFor()
    await expectNoFindings(again)
    await button(again, 'Back').click()
    expect(await again.getByLabel('E-mail address').inputValue()).toBe(email)
    expect(new URL(again.url()).pathname).toBe('/login')
  })

  test('stops showing a cancelled sign-in', async () => {
    const email = await somebody()
    const page = await visit('/login')
    await signIn(page, email)
    const device = await pairOnPhone(await createDevice(page, 'My phone'))
    const other = await visit('/login')
    await sendLogin(other, email)
    await device.getByText('Are you signing in?').waitFor()
    await button(other, 'Cancel').click()
    await device.getByText('Are you signing in?').waitFor({ state: 'detached' })
  })

  test('unpairs itself, after which the password alone is enough', async () => {
    const email = await somebody()
    const page = await visit('/login')
    await signIn(page, email)
    const device = await pairOnPhone(await createDevice(page, 'My phone'))
    await button(device, 'Unpair device').click()
    const dialog = device.getByRole('dialog', { name: 'Unpair My phone?' })
    await dialog.getByText(/your only device/).waitFor()
    await expectNoFindings(device)
    await dialog.getByRole('button', { name: 'Unpair device' }).click()
    await heading(device, 'Pair this device').waitFor()
    await device.getByLabel('Code').waitFor()
    const other = await visit('/login')
    await signIn(other, email)
  })

  test('is removed in the portal after a warning, and stops working immediately', async () => {
    const email = await somebody()
    const page = await visit('/login')
    await signIn(page, email)
    const device = await pairOnPhone(await createDevice(page, 'My phone'))
    await page.goto('/companions')
    await page.getByText('Every sign-in to your account needs your approval on a device.').waitFor()
    await page.getByText('Don’t lock yourself out.').waitFor()
    await expectNoFindings(page)
    const name = page.getByRole('table').getByRole('link')
    await name.click()
    await page.locator('main').getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This is your last paired device.').waitFor()
    await expectNoFindings(page)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No devices yet').waitFor()
    await heading(device, 'Pair this device').waitFor()
  })
})

describe('a password reset', () => {
  test('requires the number on the device, which says what it is for', async () => {
    const { email, password, external } = await createAccount()
    const page = await visit('/login')
    await signIn(page, email, password)
    const device = await pairOnPhone(await createDevice(page, 'My phone'))
    const lost = await visit('/password-reset')
    await lost.getByLabel('E-mail address').fill(email)
    await button(lost, 'Continue').click()
    await lost.getByLabel('Confirmation code').waitFor()
    const mail = await vi.waitUntil(
      async () => {
        const newest = await mailTo(external)
        return newest.text.includes('/password-reset/') && newest
      },
      { timeout: 10_000 },
    )
    await lost.getByLabel('Confirmation code').fill(codeIn(mail))
    await button(lost, 'Continue').click()
    const setPassword = async () => {
      await lost.getByLabel('Password', { exact: true }).fill('other-word-9')
      await lost.getByLabel('Confirm password').fill('other-word-9')
      await button(lost, 'Set password').click()
    }
    await setPassword()
    await shownNumber(lost)
    await expectNoFindings(lost)
    await device.getByText('Are you setting a new password?').waitFor()
    await device.getByText('Someone wants to set a new password for your account.').waitFor()
    await expectNoFindings(device)
    // the code stays valid after cancelling
    await button(lost, 'Cancel').click()
    await device.getByText('Are you setting a new password?').waitFor({ state: 'detached' })
    await setPassword()
    await device.getByLabel('Number on the other screen').fill(await shownNumber(lost))
    await button(device, 'Yes, it’s me').click()
    await lost.waitForURL('**/dashboard')
    await page.goto('/users')
    await page.waitForURL('**/login')
  })
})

describe('a recovery device', () => {
  test('is prepared on a printed sheet, and paired later by its code and the password', async () => {
    const email = await somebody()
    const page = await visit('/login')
    await signIn(page, email)
    await pairOnPhone(await createDevice(page, 'My phone'))
    await page.goto('/companions')
    await button(page, 'Prepare recovery device').click()
    await button(page, 'Continue').click()
    await button(page, 'Create sheet').click()
    await page.getByText('Keep the sheet in a safe place.').waitFor()
    await expectNoFindings(page)
    const code = await page
      .locator('main')
      .getByText(/^[2-9A-Z]{5}-[2-9A-Z]{5}$/)
      .innerText()

    const lost = await visit('/companion-app', { viewport: phone })
    await lost.getByLabel('Code').fill(code.toLowerCase())
    await button(lost, 'Pair device').click()
    await lost.getByLabel('Account password').fill(passwordOf(email))
    await button(lost, 'Pair device').click()
    await heading(lost, 'Waiting for your approval').waitFor()
    await lost.getByText(/This recovery device doesn’t get notifications/).waitFor()
  })
})

describe('the companion page while offline', () => {
  test('says so, keeps its pairing, and receives sign-ins again once it is back online', async () => {
    const email = await somebody()
    const page = await visit('/login')
    await signIn(page, email)
    const link = await createDevice(page, 'My phone')
    const device = await openOnPhone(link, { expectedErrors: ['net::ERR_INTERNET_DISCONNECTED'] })
    await button(device, 'Pair device').click()
    await device.getByText('No one is signing in to your account right now.').waitFor()
    // the page is cached from the first visit on
    await expect
      .poll(() =>
        device.evaluate(async () => {
          const cache = await caches.open('companion-1')
          const names = (await cache.keys()).map(({ url }) => new URL(url).pathname)
          const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
          const assets = loaded.filter((name) => name.startsWith('/assets/'))
          return ['/companion-app', ...assets].every((name) => names.includes(name)) && assets.length > 1
        }),
      )
      .toBe(true)

    await device.context().setOffline(true)
    await device.getByText('No connection.').waitFor()
    await device.getByText('This device stays paired.').waitFor()
    await device.reload()
    await heading(device, 'Waiting for your approval').waitFor()
    await device.getByText('No connection.').waitFor()
    await expectNoFindings(device)

    const other = await visit('/login')
    await sendLogin(other, email)
    const number = await shownNumber(other)
    await device.context().setOffline(false)
    await device.getByText('Are you signing in?').waitFor()
    await device.getByText('No connection.').waitFor({ state: 'detached' })
    await device.getByLabel('Number on the other screen').fill(number)
    await button(device, 'Yes, approve').click()
    await other.waitForURL('**/dashboard')
    await device.getByRole('heading', { name: 'This device' }).waitFor()
  })
})

describe('the companion page', () => {
  test("can be installed and doesn't use the portal's session", async () => {
    const page = await visit('/companion-app', { viewport: phone })
    await heading(page, 'Pair this device').waitFor()
    const href = await page.locator('link[rel="manifest"]').getAttribute('href')
    const manifest = await page.evaluate((at) => fetch(at ?? '').then((answer) => answer.json()), href)
    expect(manifest).toMatchObject({ start_url: '/companion-app', display: 'standalone' })
    for (const { src } of manifest.icons) {
      const icon = await page.request.get(new URL(src, portal.appUrl).href)
      expect(icon.status(), src).toBe(200)
    }
    await page.getByLabel('Code').fill('AAAAA-BBBBB')
    await button(page, 'Pair device').click()
    await page.getByText('This code is incorrect, has expired or was already used.').waitFor()
  })

  test.each(['light', 'dark'] as const)(
    'has no findings in %s, from phone to desktop',
    async (colorScheme) => {
      for (const viewport of [phone, desktop]) {
        const page = await visit('/companion-app', { viewport, colorScheme })
        await heading(page, 'Pair this device').waitFor()
        await expectNoFindings(page)
      }
    },
  )
})
