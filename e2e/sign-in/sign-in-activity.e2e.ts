import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { demoPassword, sendLogin, variantUrl } from '../support/sign-in.ts'

const { visit, visitAs } = useVisitor()

/** Folder for screenshots; none are taken if it's unset. */
const folder = process.env.SCREENSHOTS

async function picture(page: Page, name: string): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function post<T>(path: string, { body, token }: { body: unknown; token?: string }): Promise<T> {
  const response = await fetch(`${portal.appUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T // per the contract
}

/** Changes what only time can: a device or sign-in that is too old. */
async function inDatabase(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Failed sign-ins of a user from another client. */
async function guess(email: string, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    await fetch(`${portal.appUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
      body: JSON.stringify({ email, password: `guess ${turn}` }),
    })
  }
}

const list = (page: Page) => page.getByRole('table', { name: 'History' })

describe('successful and failed sign-ins', () => {
  test("are listed on the user's security page, by outcome", async () => {
    await guess('ned@acme.test', 3)
    const page = await visitAs('ned@acme.test', '/security?tab=activity')
    await list(page).getByText('3 failed sign-ins: wrong password').waitFor()
    await list(page).getByText('Password · curl').first().waitFor()
    await list(page).getByText('Unknown').first().waitFor()
    await list(page)
      .getByText(/^You signed in/)
      .first()
      .waitFor()
    await picture(page, 'security')
    await expectNoFindings(page)
    await page.getByLabel('Result').selectOption('Failed and denied sign-ins')
    await expect
      .poll(() =>
        list(page)
          .getByText(/^You signed in/)
          .count(),
      )
      .toBe(0)
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('failed')
  })

  test("are in the account's activity, where the owner filters by kind", async () => {
    await guess('ned@acme.test', 2)
    const page = await visitAs('owner@acme.test', '/activity')
    await page.getByLabel('Event').selectOption('Sign-ins')
    await page
      .getByText(/failed sign-ins?: /)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'ned@acme.test' }).first().waitFor()
    await picture(page, 'activity')
    await expectNoFindings(page)
  })

  test('are in the event log for staff', async () => {
    await guess('jane@acme.test', 2)
    const { id } = await post<{ id: number }>('/api/auth/login', {
      body: { email: 'jane@acme.test', password: demoPassword },
    })
    const path = variantUrl(portal.appUrl, 'admin', `/user/${id}?tab=history`)
    const page = await visitAs('admin@example.test', path)
    await page
      .getByText(/failed sign-ins?: |Sign-in failed: /)
      .first()
      .waitFor()
    await picture(page, 'cockpit')
  })
})

test.each(['light', 'dark'] as const)('the activity fits a phone, in German and %s', async (colorScheme) => {
  const page = await visitAs('ned@acme.test', '/security?tab=activity', {
    viewport: phone,
    locale: 'de-CH',
    colorScheme,
  })
  await page
    .getByText(/fehlgeschlagene Anmeldungen: falsches Passwort/)
    .first()
    .waitFor()
  await picture(page, `phone-${colorScheme}`)
  await expectNoFindings(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width)
})

describe('a sign-in that needs a companion device', () => {
  const email = 'solo@example.test'

  beforeAll(async () => {
    const { access_token: token } = await post<{ access_token: string }>('/api/auth/login', {
      body: { email, password: demoPassword },
    })
    const { id } = await post<{ id: string }>('/api/v4/companions', { token, body: { name: 'Phone' } })
    const response = await fetch(`${portal.appUrl}/api/v4/companions/${id}/pairing`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { clientSecret: secret } = await response.json()
    await post('/api/v4/companion/pair', { body: { companionId: id, secret, deviceId: 'phone-1' } })
  })

  afterAll(() =>
    inDatabase(`delete from companions c using users u where u.id = c.user_id and u.email = '${email}'`),
  )

  test("reports that it wasn't confirmed in time", async () => {
    const page = await visit('/login')
    await sendLogin(page, email)
    await page
      .getByRole('dialog')
      .getByText(/seconds? left/)
      .waitFor()
    await inDatabase(`update sign_in_prompts set expires_at = now() where status = 'WAITING'`)
    await inDatabase(`select pg_notify('companions', id::text) from users where email = '${email}'`)
    await page.getByText('The sign-in wasn’t approved in time. Try again.').waitFor()
    await picture(page, 'expired')
    await expectNoFindings(page)
  })

  test.each(['light', 'dark'] as const)(
    'says what to do when no device can confirm, %s',
    async (colorScheme) => {
      await inDatabase(`update sessions s set revoked_at = now() from users u
      where u.id = s.user_id and u.email = '${email}'`)
      const page = await visit('/login', { colorScheme, viewport: phone, locale: 'de-CH' })
      await page.getByLabel('E-Mail-Adresse').fill(email)
      await page.getByLabel('Passwort', { exact: true }).fill(demoPassword)
      await page.locator('main').getByRole('button', { name: 'Anmelden', exact: true }).click()
      await page
        .locator('#password-error')
        .getByText(/^Keines Ihrer Geräte kann diese Anmeldung bestätigen/)
        .waitFor()
      await picture(page, `no-device-${colorScheme}`)
    },
  )
})
