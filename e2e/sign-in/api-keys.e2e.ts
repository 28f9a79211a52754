import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor, type VisitOptions } from '../support/browser.ts'
import { signIn } from '../support/sign-in.ts'

const { visit } = useVisitor()

async function visitAs(email: string, path: string, options: VisitOptions = {}): Promise<Page> {
  const page = await visit(path, options)
  await signIn(page, email)
  return page
}

const path = '/security?tab=api-keys'
const dialog = (page: Page) => page.getByRole('dialog')
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true })

/** Reads the new key of the dialog and closes it. */
async function takeKey(page: Page): Promise<string> {
  await dialog(page).getByText('It’s shown only once.').waitFor()
  const key = await dialog(page).locator('.api-key-value code').innerText()
  expect(key).toMatch(/^gh_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  return key
}

async function statusWith(page: Page, key: string, route = 'GET /api/v4/users'): Promise<number> {
  const [method = '', url = ''] = route.split(' ')
  return page.evaluate(
    async (request) => {
      const headers = { authorization: `Bearer ${request.key}`, 'content-type': 'application/json' }
      const body = request.method === 'GET' ? null : '{}'
      return (await fetch(request.url, { method: request.method, headers, body })).status
    },
    { key, method, url },
  )
}

test('an API key is created, used, rotated and revoked', async () => {
  const page = await visitAs('owner@acme.test', '/security')
  await page.getByRole('tab', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'New API key' }).click()
  await dialog(page).getByLabel('Name').fill('Directory sync')
  await dialog(page).getByRole('button', { name: 'Create API key' }).click()
  await dialog(page).getByText('Choose at least one permission.').waitFor()
  const all = dialog(page).getByLabel('Everything')
  await all.selectOption('write')
  expect(await dialog(page).getByLabel('Activity', { exact: true }).inputValue()).toBe('read')
  await all.selectOption('')
  await dialog(page).getByLabel('Users', { exact: true }).selectOption('read')
  await dialog(page).getByLabel('Expires').selectOption({ label: 'After 30 days' })
  await dialog(page).getByLabel('Allowed addresses and networks').fill('nowhere')
  await dialog(page).getByRole('button', { name: 'Create API key' }).click()
  await dialog(page).getByText('“nowhere” isn’t an address or network.').waitFor()
  await dialog(page).getByLabel('Allowed addresses and networks').fill('127.0.0.0/8\n::1')
  await dialog(page).getByRole('button', { name: 'Create API key' }).click()
  const key = await takeKey(page)
  expect(await page.content()).not.toContain(key)
  const row = table(page, 'Your API keys').getByRole('row', { name: /Directory sync/ })
  await row.getByText('Users (view only)').waitFor()
  await row.getByText('Not used yet').waitFor()
  expect(await statusWith(page, key)).toBe(200)
  expect(await statusWith(page, key, 'POST /api/v4/users')).toBe(403)
  expect(await statusWith(page, key, 'GET /api/v4/api-keys')).toBe(403)

  await row.getByRole('button', { name: 'Rotate Directory sync' }).click()
  await dialog(page).getByLabel('Previous secret stops working').selectOption({ label: 'Immediately' })
  await dialog(page).getByRole('button', { name: 'Rotate', exact: true }).click()
  const second = await takeKey(page)
  expect(await statusWith(page, key)).toBe(401)
  expect(await statusWith(page, second)).toBe(200)

  await row.getByRole('button', { name: 'Change Directory sync' }).click()
  await dialog(page).getByLabel('Name').fill('Nightly sync')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Revoke Nightly sync' }).click()
  await dialog(page).getByRole('heading', { name: 'Revoke the API key “Nightly sync”?' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Revoke API key' }).click()
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
  expect(await statusWith(page, second)).toBe(401)
})

test('the owner creates and revokes account keys, which members don’t see', async () => {
  const page = await visitAs('owner@acme.test', path)
  await page.getByRole('button', { name: 'New account key' }).first().click()
  await dialog(page).getByLabel('Name').fill('Provisioning')
  expect(await dialog(page).getByLabel('Files', { exact: true }).count()).toBe(0)
  await dialog(page).getByLabel('Domains', { exact: true }).selectOption('write')
  await dialog(page).getByRole('button', { name: 'Create API key' }).click()
  const key = await takeKey(page)
  expect(await statusWith(page, key, 'GET /api/v4/domains')).toBe(200)
  await table(page, 'API keys of the account').getByText('Provisioning').waitFor()
  const member = await visitAs('ned@acme.test', path)
  await member.getByRole('heading', { name: 'No API keys yet' }).waitFor()
  expect(await member.getByText('API keys of the account').count()).toBe(0)
  await page.getByRole('button', { name: 'Revoke Provisioning' }).click()
  await dialog(page).getByRole('button', { name: 'Revoke API key' }).click()
  await page.getByRole('heading', { name: 'No API keys of the account yet' }).waitFor()
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s', (name, viewport) => {
  test('axe reports no violations in light and dark colours', async () => {
    const page = await visitAs('jane@acme.test', path, { viewport })
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
    await expectNoFindingsInAnyColour(page, 'no API keys')
    await page.getByRole('button', { name: 'New API key' }).click()
    await dialog(page).getByLabel('Name').fill(`Backup on a ${name}`)
    await dialog(page).getByLabel('Files', { exact: true }).selectOption('write')
    await dialog(page).getByLabel('Expires').selectOption({ label: 'Never' })
    await expectNoFindingsInAnyColour(page, 'new API key')
    await dialog(page).getByRole('button', { name: 'Create API key' }).click()
    await dialog(page).getByText('It’s shown only once.').waitFor()
    await expectNoFindingsInAnyColour(page, 'the key')
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await table(page, 'Your API keys').waitFor()
    await expectNoFindingsInAnyColour(page, 'API keys')
    await page.getByRole('button', { name: `Rotate Backup on a ${name}` }).click()
    await expectNoFindingsInAnyColour(page, 'rotation')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: `Revoke Backup on a ${name}` }).click()
    await dialog(page).getByRole('button', { name: 'Revoke API key' }).click()
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
  })
})
