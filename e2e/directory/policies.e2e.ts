import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'

const { visitAs } = useVisitor()

const save = (page: Page) => page.locator('main').getByRole('button', { name: 'Save', exact: true })
const saved = (page: Page) => page.getByRole('region', { name: 'Notifications' }).getByText('Success')

describe('the password policy', () => {
  test('set by the owner applies to the password field of a member', async () => {
    const page = await visitAs('owner@acme.test', '/policies')
    await page.getByText(/^Policies apply to all \d+ users of the account/).waitFor()
    const before = await page.getByLabel('Minimum length').inputValue()
    await page.getByLabel('Minimum length').fill('11')
    await page.getByLabel('An uppercase letter').check()
    await save(page).click()
    await saved(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/policies')
    await save(page).waitFor({ state: 'detached' })

    const member = await visitAs('jane@acme.test', '/settings')
    const rules = member.getByRole('list', { name: 'Password rules' })
    await rules.getByText('11').waitFor()

    await page.getByLabel('Minimum length').fill(before)
    await page.getByLabel('An uppercase letter').uncheck()
    await save(page).click()
    await save(page).waitFor({ state: 'detached' })
  })

  test("can't be weaker than the system’s", async () => {
    const page = await visitAs('owner@acme.test', '/policies')
    await page.getByLabel('Minimum length').fill('1')
    await save(page).click()
    await page.getByText(/^Enter \d+ or more\.$/).waitFor()
    expect(await page.getByLabel('Minimum length').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('policy-min')
  })

  test('warns before a link discards changes, and survives a tab change', async () => {
    const page = await visitAs('owner@acme.test', '/policies')
    await page.getByLabel('Maximum length').fill('99')
    await page.getByRole('tab', { name: 'Mail delivery' }).click()
    expect(new URL(page.url()).search).toBe('?tab=mail')
    await page.getByRole('tab', { name: 'Password' }).click()
    expect(await page.getByLabel('Maximum length').inputValue()).toBe('99')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await page.getByLabel('Maximum length').inputValue()).not.toBe('99')
  })
})

test('policies of two tabs are saved by one bar', async () => {
  const page = await visitAs('owner@acme.test', '/policies')
  const before = await page.getByLabel('Maximum length').inputValue()
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await page.getByLabel('Maximum length').fill('98')
  await page.getByRole('tab', { name: 'Mail delivery' }).click()
  await page.getByLabel('Delay unknown senders (greylisting)').uncheck()
  await bar.getByText('2 unsaved changes: Password, Mail delivery').waitFor()
  await save(page).click()
  await bar.waitFor({ state: 'detached' })
  await page.reload()
  expect(await page.getByLabel('Delay unknown senders (greylisting)').isChecked()).toBe(false)
  await page.getByLabel('Delay unknown senders (greylisting)').check()
  await page.getByRole('tab', { name: 'Password' }).click()
  await expect.poll(() => page.getByLabel('Maximum length').inputValue()).toBe('98')
  // what is wrong in a tab that is not shown is shown once it is saved
  await page.getByLabel('Maximum length').fill('1')
  await page.getByRole('tab', { name: 'Mail delivery' }).click()
  await save(page).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('policy-max')
  await page.getByLabel('Maximum length').fill(before)
  await save(page).click()
  await bar.waitFor({ state: 'detached' })
})

describe('mail delivery', () => {
  test('is saved, and an invalid domain is marked at its row', async () => {
    const page = await visitAs('owner@acme.test', '/policies?tab=mail')
    await page.getByLabel('Delay unknown senders (greylisting)').uncheck()
    await save(page).click()
    await saved(page).waitFor()
    await page.reload()
    expect(await page.getByLabel('Delay unknown senders (greylisting)').isChecked()).toBe(false)
    await page.getByLabel('Delay unknown senders (greylisting)').check()
    await page.getByLabel('Internal domains: new entry').fill('no domain')
    await save(page).click()
    await page.locator('main .field-error').first().waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByLabel('Delay unknown senders (greylisting)').check()
    await save(page).click()
    await save(page).waitFor({ state: 'detached' })
  })
})

test("members can't open the policies", async () => {
  const page = await visitAs('jane@acme.test', '/policies')
  await page.getByRole('heading', { level: 1, name: 'Access denied' }).waitFor()
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('axe finds nothing on the %s', (_, viewport) => {
  test.each(['light', 'dark'] as const)('in the %s scheme', async (colorScheme) => {
    const page = await visitAs('owner@acme.test', '/policies', { viewport, colorScheme })
    await page.getByLabel('Minimum length').fill('1')
    await save(page).click()
    await page.locator('main .field-error').waitFor()
    // at the end of the page the bar covers nothing
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expectNoFindings(page, 'password policy')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('tab', { name: 'Mail delivery' }).click()
    await page.getByLabel('Delay unknown senders (greylisting)').waitFor()
    await expectNoFindings(page, 'mail delivery policies')
  })
})
