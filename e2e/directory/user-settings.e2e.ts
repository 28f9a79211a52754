import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from '../support/browser.ts'

const visitor = useVisitor()

const path = '/settings?tab=settings'

const visitAs = (email: string, options: VisitOptions = {}) => visitor.visitAs(email, path, options)

/** The test server has a loopback address, which belongs to no country. */
async function locate(page: Page, countryCode: string): Promise<void> {
  const body = { status: 'success', ipAddress: '192.0.2.1', countryCode }
  await page.route('**/api/auth/location', (route) => route.fulfill({ json: body }))
}

const panel = (page: Page, name: string) => page.getByRole('region', { name })
const save = (page: Page) => page.locator('main').getByRole('button', { name: 'Save' })
const picker = (page: Page) => page.getByRole('button', { name: /^Allowed countries/ })
const success = (page: Page) => page.getByRole('region', { name: 'Notifications' }).getByText('Success')

async function openPicker(page: Page) {
  await picker(page).click()
  const dialog = page.getByRole('dialog', { name: 'Allowed countries' })
  await dialog.getByRole('listbox', { name: 'World map' }).waitFor()
  return dialog
}

describe('the geo lock', () => {
  test('is set on the map and in the list, saved, shown as active, and removed again', async () => {
    const page = await visitAs('owner@acme.test')
    await page.goto('/users')
    await page.getByRole('table').getByRole('link', { name: /Ned/ }).click()
    await page.getByRole('tab', { name: 'Settings' }).click()
    const form = panel(page, 'Sign-in and access')
    await form.getByText('In effect: sign-in from any country.').waitFor()
    const dialog = await openPicker(page)
    await dialog.getByText(/^Your location is unknown/).waitFor()
    await dialog.getByRole('option', { name: 'Switzerland' }).press('Enter')
    await dialog.getByLabel('Search countries').fill('germany')
    await dialog.getByRole('checkbox', { name: 'Germany' }).check()
    await dialog.getByText('2 countries selected:').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Allowed countries Germany, Switzerland' }).waitFor()
    await page.getByRole('region', { name: 'Unsaved changes' }).getByText(': Sign-in and access').waitFor()
    await save(page).click()
    await form.getByText('In effect: sign-in from Germany, Switzerland only.').waitFor()
    await page.reload()
    await picker(page).click()
    await page.getByRole('button', { name: 'Remove restriction' }).click()
    await save(page).click()
    await form.getByText('In effect: sign-in from any country.').waitFor()
  })

  test('of your own account is rejected at its field while your location is unknown', async () => {
    const page = await visitAs('owner@acme.test')
    const dialog = await openPicker(page)
    await dialog.getByRole('option', { name: 'Switzerland' }).press(' ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await save(page).click()
    await page.locator('#settings-limit_geo-error').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('settings-limit_geo')
  })

  test('always includes the country you are in', async () => {
    const page = await visitAs('owner@acme.test')
    await locate(page, 'CH')
    const dialog = await openPicker(page)
    await dialog.getByText('You’re in Switzerland now (192.0.2.1).').waitFor()
    const option = dialog.getByRole('option', { name: 'Switzerland, your location, always selected' })
    expect(await option.getAttribute('aria-selected')).toBe('true')
    await option.press(' ')
    expect(await option.getAttribute('aria-selected')).toBe('true')
    expect(await dialog.getByRole('checkbox', { name: /Switzerland/ }).isDisabled()).toBe(true)
  })

  test('map zooms by buttons and keys', async () => {
    const page = await visitAs('owner@acme.test')
    const dialog = await openPicker(page)
    const box = () => dialog.locator('.world-map-options > svg').getAttribute('viewBox')
    const whole = await box()
    expect(await dialog.getByRole('button', { name: 'Zoom out' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Zoom in' }).click()
    expect(await box()).not.toBe(whole)
    await dialog.locator('[data-code=CH]').press('-')
    expect(await box()).toBe(whole)
  })
})

test('a mail setting shows its effective value and where it comes from', async () => {
  const page = await visitAs('owner@acme.test')
  const form = panel(page, 'Mail delivery')
  await form.getByRole('combobox', { name: 'Greylisting' }).selectOption('off')
  await save(page).click()
  await success(page).waitFor()
  await form.getByText('In effect: disabled, set for this user.').waitFor()
  await form.getByRole('combobox', { name: 'Greylisting' }).selectOption('default')
  await save(page).click()
  await form
    .getByText(/^In effect: enabled, (set by the account policy|the system default)/)
    .first()
    .waitFor()
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('axe finds nothing on the %s', (_, viewport) => {
  test.each(['light', 'dark'] as const)('in the %s scheme', async (colorScheme) => {
    const page = await visitAs('owner@acme.test', { viewport, colorScheme })
    await locate(page, 'CH')
    await panel(page, 'Mail delivery').waitFor()
    await expectNoFindings(page, 'settings')
    const dialog = await openPicker(page)
    await dialog.getByText(/^You’re in Switzerland/).waitFor()
    await dialog.getByRole('option', { name: 'Brazil' }).press('Enter')
    await expectNoFindings(page, 'country picker')
  })
})
