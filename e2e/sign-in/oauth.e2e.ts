import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { useRelyingParty } from '../support/relying-party.ts'
import { sendLogin, signIn, variantUrl } from '../support/sign-in.ts'

const { visit, visitAs } = useVisitor()
const app = useRelyingParty('Wiki')

const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname)
const consent = (page: Page) => page.getByRole('heading', { level: 1, name: 'Wiki' })
const allow = (page: Page) => page.getByRole('button', { name: 'Allow' })

async function backAt(page: Page, where = '/callback'): Promise<Readonly<Record<string, string>>> {
  await page.waitForURL((url) => url.origin === app().url && url.pathname === where)
  await page.getByRole('heading', { name: `Wiki: ${where}` }).waitFor()
  return app().last()?.fields ?? {}
}

async function disconnectAll(page: Page): Promise<void> {
  await page.goto(`${portal.appUrl}/security?tab=apps`)
  await page.getByRole('button', { name: 'Disconnect Wiki' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No connected apps').waitFor()
}

describe('an application that requests a sign-in', () => {
  test('is allowed: after sign-in and consent it gets a code, and the next time without a prompt', async () => {
    const page = await visit(app().authorize())
    await path(page).toBe('/login')
    await sendLogin(page, 'jane@acme.test')
    await consent(page).waitFor()
    await page.getByText('jane@acme.test').first().waitFor()
    await page.getByText('View your e-mail address and name').waitFor()
    await page.getByText('View your name and language').waitFor()
    await page.getByText(`You’ll return to ${app().url}/callback`).waitFor()
    expect(await page.title()).toBe('Wiki · Gatehouse')
    await allow(page).click()
    const answer = await backAt(page)
    expect(answer).toMatchObject({ state: 'abc', iss: portal.appUrl, code: expect.any(String) })
    expect(answer.timezone).toMatch(/^\w+/)
    const tokens = await app().exchange()
    const [, claims = ''] = (tokens.id_token ?? '').split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      email: 'jane@acme.test',
      nonce: 'n',
    })

    await page.goto(app().authorize({ state: 'second' }))
    expect(await backAt(page)).toMatchObject({ state: 'second', code: expect.any(String) })

    await page.goto(`${portal.appUrl}/security?tab=apps`)
    await page.getByRole('heading', { level: 3, name: 'Wiki' }).waitFor()
    await expectNoFindings(page)
    await disconnectAll(page)
    const info = await fetch(`${portal.appUrl}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(info.status).toBe(401)
    await page.goto(app().authorize())
    await consent(page).waitFor()
  })

  test('is denied and receives the error with its state', async () => {
    const page = await visit('/login')
    await signIn(page, 'ned@acme.test')
    await page.goto(app().authorize({ state: 'no thanks' }))
    await page.getByRole('button', { name: 'Deny' }).click()
    const answer = await backAt(page)
    expect(answer).toMatchObject({ error: 'access_denied', state: 'no thanks' })
    expect(answer.code).toBeUndefined()
    await page.goto(app().authorize())
    await consent(page).waitFor()
  })

  test('receives the response as a form post if requested', async () => {
    const page = await visit('/login')
    await signIn(page, 'ned@acme.test')
    await page.goto(app().authorize({ response_mode: 'form_post', state: '"a" & <b>' }))
    await allow(page).click()
    const answer = await backAt(page)
    expect(app().last()?.method).toBe('POST')
    expect(answer).toMatchObject({
      state: '"a" & <b>',
      code: expect.any(String),
      timezone: expect.any(String),
    })
    await app().exchange()
    await page.goto(app().authorize({ response_mode: 'form_post', scope: 'root' }))
    await expect.poll(() => app().last()?.fields.error).toBe('invalid_scope')
  })

  test('receives request errors at its redirect URI', async () => {
    const page = await visit('/login')
    await signIn(page, 'ned@acme.test')
    await page.goto(app().authorize({ scope: 'openid everything' }))
    const answer = await backAt(page)
    expect(answer).toMatchObject({ error: 'invalid_scope', state: 'abc', error_description: 'unknown scope' })
    expect(answer.timezone).toBeTruthy()
  })

  test('that is unknown or has an unregistered redirect URI is never redirected to', async () => {
    const page = await visit('/login')
    await signIn(page, 'ned@acme.test')
    const wrong: Record<string, string>[] = [
      { client_id: 'nobody' },
      { redirect_uri: `${app().url}/elsewhere` },
    ]
    for (const change of wrong) {
      await page.goto(app().authorize(change))
      await page.getByText('422').first().waitFor()
      await path(page).toBe('/oauth/authorize')
    }
  })

  test("with prompt=none receives an error if the user isn't signed in or consent is missing", async () => {
    const page = await visit(app().authorize({ prompt: 'none' }))
    expect(await backAt(page)).toMatchObject({ error: 'login_required', state: 'abc' })
    await page.goto(`${portal.appUrl}/login`)
    await signIn(page, 'solo@example.test')
    await page.goto(app().authorize({ prompt: 'none' }))
    expect(await backAt(page)).toMatchObject({ error: 'consent_required', state: 'abc' })
  })

  test('may name the user, whose address is filled in', async () => {
    const page = await visit(app().authorize({ login_hint: 'jane@acme.test' }))
    await path(page).toBe('/login')
    const password = page.getByLabel('Password', { exact: true })
    await expect.poll(() => page.getByLabel('E-mail address').inputValue()).toBe('jane@acme.test')
    await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true)
    await password.fill('simple123')
    await password.press('Enter')
    await page.getByText('jane@acme.test').first().waitFor()
    await path(page).toBe('/oauth/authorize')
  })

  test('with max_age gets a fresh sign-in for the address that it names', async () => {
    const page = await visitAs('solo@example.test', '/dashboard')
    await page.goto(app().authorize({ max_age: '0', login_hint: 'solo@example.test' }))
    await path(page).toBe('/login')
    await expect.poll(() => page.getByLabel('E-mail address').inputValue()).toBe('solo@example.test')
  })

  test("can't be used as an open redirect, and neither can sign-in URLs", async () => {
    const evil = 'https://evil.test/'
    for (const query of [`redirect=${evil}&next=//evil.test`, 'return=/\\evil.test&target=//evil.test']) {
      const page = await visit(`/login?${query}#${evil}`)
      await page.getByLabel('E-mail address').waitFor()
      await signIn(page, 'ned@acme.test')
      await expect.poll(() => page.url()).toBe(`${portal.appUrl}/dashboard`)
    }
    const page = await visit(app().authorize({ redirect_uri: evil, state: evil }))
    await path(page).toBe('/login')
    await sendLogin(page, 'ned@acme.test')
    await page.getByText('422').first().waitFor()
    expect(new URL(page.url()).origin).toBe(portal.appUrl)
    await page.goto(`${portal.appUrl}//evil.test/`)
    expect(new URL(page.url()).origin).toBe(portal.appUrl)
  })

  test('with prompt=login gets a new sign-in, once', async () => {
    const page = await visit('/login')
    await signIn(page, 'solo@example.test')
    await page.goto(app().authorize({ prompt: 'login' }))
    await path(page).toBe('/login')
    await sendLogin(page, 'solo@example.test')
    await consent(page).waitFor()
    await allow(page).click()
    expect(await backAt(page)).toMatchObject({ code: expect.any(String) })
    await page.goto(app().authorize({ prompt: 'login' }))
    await path(page).toBe('/login')
  })

  test.each(['light', 'dark'] as const)(
    'is shown without findings of axe on desktop and phone, %s',
    async (scheme) => {
      for (const viewport of [{ width: 1440, height: 900 }, phone]) {
        const look = { colorScheme: scheme, viewport, locale: 'de-DE' }
        const page = await visitAs('degraded@example.test', app().authorize(), look)
        await page.getByRole('button', { name: 'Erlauben' }).waitFor()
        await picture(page, `consent-de-${scheme}-${viewport.width}`)
        await expectNoFindings(page)
        await page.goto(`${portal.appUrl}/oauth/device`)
        await page.getByLabel('Code').waitFor()
        await expectNoFindings(page)
        await page.goto(`${portal.appUrl}/oauth/sign-out?error=invalid_request`)
        await page.getByText('nicht zu trauen').waitFor()
        await expectNoFindings(page)
        await page.goto(`${portal.appUrl}/security?tab=apps`)
        await page.getByText('Keine verbundenen Apps').waitFor()
        await expectNoFindings(page)
      }
    },
  )
})

/** Takes a screenshot for review if a folder is set. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

describe('a device', () => {
  const begin = async () => {
    const answer = await fetch(`${portal.appUrl}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: app().clientId, scope: 'openid email' }),
    })
    return answer.json() as Promise<Record<string, string>>
  }
  const poll = async (code = '') => {
    const answer = await fetch(`${portal.appUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: app().clientId,
        device_code: code,
      }),
    })
    return answer.json() as Promise<Record<string, string>>
  }

  test('is connected with the code it displays', async () => {
    const device = await begin()
    const page = await visit('/oauth/device')
    await sendLogin(page, 'jane@acme.test')
    const code = page.getByLabel('Code')
    await code.fill('BBBB-BBBB')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page
      .getByText('This code is incorrect or has expired. Check it, or get a new one on the device.')
      .first()
      .waitFor()
    await code.fill((device.user_code ?? '').toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await consent(page).waitFor()
    await page.getByText(`shows the code ${device.user_code}`).waitFor()
    await picture(page, 'device')
    await expectNoFindings(page)
    await allow(page).click()
    await page.getByText('The device is connected.').waitFor()
    expect((await poll(device.device_code)).access_token).toBeTruthy()
    await picture(page, 'device-done')
    await disconnectAll(page)
  })

  test('receives an error when it is denied', async () => {
    const device = await begin()
    const page = await visit(
      new URL(device.verification_uri_complete ?? '').pathname +
        new URL(device.verification_uri_complete ?? '').search,
    )
    await sendLogin(page, 'jane@acme.test')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Access was denied to the device.').waitFor()
    expect((await poll(device.device_code)).error).toBe('access_denied')
  })
})

describe('an application that requests a sign-out', () => {
  test('asks for confirmation, and the user returns signed out', async () => {
    const page = await visit('/login')
    await signIn(page, 'jane@acme.test')
    await page.goto(app().authorize())
    await allow(page).click()
    await backAt(page)
    const { id_token: hint = '' } = await app().exchange()
    const query = new URLSearchParams({
      id_token_hint: hint,
      post_logout_redirect_uri: `${app().url}/bye`,
      state: 'later',
    })
    await page.goto(`${portal.appUrl}/oauth/logout?${query}`)
    await page.getByText('Wiki requested this.').waitFor()
    await picture(page, 'sign-out')
    await expectNoFindings(page)
    await page.locator('main').getByRole('button', { name: 'Sign out' }).click()
    expect(await backAt(page, '/bye')).toEqual({ state: 'later' })
    await page.goto(`${portal.appUrl}/dashboard`)
    await path(page).toBe('/login')
  })

  test('with an unregistered redirect URI changes nothing', async () => {
    const page = await visit('/login')
    await signIn(page, 'jane@acme.test')
    const query = new URLSearchParams({
      client_id: app().clientId,
      post_logout_redirect_uri: 'https://evil.test/',
    })
    await page.goto(`${portal.appUrl}/oauth/logout?${query}`)
    await page.getByText('This request can’t be trusted').waitFor()
    await page.goto(`${portal.appUrl}/dashboard`)
    await page.getByRole('link', { name: 'Sign out' }).first().waitFor({ state: 'attached' })
  })
})

describe('staff', () => {
  test('register an application, change it, rotate its secret and delete it', async () => {
    const page = await visit(variantUrl(portal.appUrl, 'admin', '/oauth-clients'))
    await sendLogin(page, 'admin@example.test')
    await page.getByRole('link', { name: 'demo-app' }).waitFor()
    await picture(page, 'clients')
    await expectNoFindings(page)
    await page.getByRole('link', { name: 'New OAuth client' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Tickets')
    await page.getByLabel('Redirect URIs', { exact: false }).first().fill('http://tickets.test/cb')
    const pkce = page.getByLabel('Require PKCE')
    expect(await pkce.isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Public' }).check()
    await pkce.waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: 'Confidential' }).check()
    await picture(page, 'client-new')
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByText('Redirect URIs start with https://').first().waitFor()
    await page.getByLabel(/Redirect URIs.*1/).fill('https://tickets.test/cb')
    await page.getByRole('button', { name: 'Create client' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This secret is shown only once').waitFor()
    await picture(page, 'client-secret')
    await expectNoFindings(page)
    const first = await dialog.locator('code').nth(1).textContent()
    expect(first).toMatch(/^[\w-]{43}$/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('heading', { level: 1, name: 'Tickets' }).waitFor()
    await picture(page, 'client')
    await expectNoFindings(page)
    await pkce.uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Tickets has been updated.', { exact: true }).waitFor()
    await page.reload()
    expect(await pkce.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Create new secret' }).click()
    await dialog.getByRole('button', { name: 'Create new secret' }).click()
    await dialog.getByText('This secret is shown only once').waitFor()
    expect(await dialog.locator('code').nth(1).textContent()).not.toBe(first)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await path(page).toBe('/oauth-clients')
    await page.getByRole('link', { name: 'demo-app' }).waitFor()
    expect(await page.getByRole('link', { name: 'Tickets' }).count()).toBe(0)
  })
})
