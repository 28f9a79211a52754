import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { AuthenticatorApp } from './authenticator-app.ts'
import { portal } from './portal.ts'
import { retire } from './profiles.ts'
import { sendLogin } from './sign-in.ts'
import { button, expectDashboard, title } from './signup.ts'
import { send } from './users.ts'

/** An enrolled authenticator app with its recovery codes. */
export interface EnrolledApp {
  readonly app: AuthenticatorApp
  readonly recoveryCodes: readonly string[]
}

interface Person {
  readonly email: string
  readonly password: string
}

/** Enrols an authenticator app through the API, for tests about something else. */
export async function enrolApp({ email, password }: Person, label = 'Phone'): Promise<EnrolledApp> {
  const { access_token: token } = await send<{ access_token: string }>('/api/auth/login', {
    body: { email, password },
  })
  const { id, secret } = await send<{ id: string; secret: string }>('/api/v4/factors/totp', {
    token,
    body: { label },
  })
  const app = new AuthenticatorApp(secret)
  const { recoveryCodes } = await send<{ recoveryCodes: string[] }>(`/api/v4/factors/totp/${id}/confirm`, {
    token,
    body: { code: app.next() },
  })
  return { app, recoveryCodes }
}

/** Sets the last authentication of all the user's sessions to eleven minutes ago. */
export async function ageProofs(email: string): Promise<void> {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    for (const table of ['sessions', 'access_tokens']) {
      await client.query(
        `update ${table} set authenticated_at = now() - interval '11 minutes'
         where user_id = (select id from users where email = $1)`,
        [email],
      )
    }
  } finally {
    await client.end()
  }
}

/** The same for one page's session only, because other tests share the user. */
export async function ageProofOf(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    await client.query(
      `update access_tokens set authenticated_at = now() - interval '11 minutes'
       where hash = sha256(convert_to($1, 'UTF8'))`,
      [token],
    )
  } finally {
    await client.end()
  }
}

/** Test operations on a virtual passkey authenticator. */
export interface Device {
  /** Replaces the authenticator and all its passkeys with an empty one. */
  lose(): Promise<void>
}

/** Gives the page a virtual authenticator that creates and uses passkeys without user interaction. */
export async function withDevice(page: Page): Promise<Device> {
  const devtools = await retire(page).context().newCDPSession(page)
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    lose: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }).then(() => {}),
  }
}

export const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', { name })
export const act = (box: Locator, name: string) => box.getByRole('button', { name, exact: true }).click()
export const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const codeField = (page: Page) => page.getByLabel('Code', { exact: true })
export const listed = (page: Page, kind: 'Authenticator apps' | 'Passkeys') =>
  page.getByRole('list', { name: kind }).getByRole('listitem')
export const recoveryCodes = (box: Locator) =>
  box.getByRole('list', { name: 'Recovery codes' }).locator('code')

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Sign out' }).click()
  await title(page, 'Sign in').waitFor()
}

/** Goes from the password to the second step of the sign-in. */
export async function reachSecondStep(page: Page, { email, password }: Person): Promise<void> {
  await sendLogin(page, email, password)
  await page.getByRole('heading', { level: 2, name: 'Two-step verification' }).waitFor()
}

/** Signs in with password and code. */
export async function signInWithCode(page: Page, person: Person, code: string): Promise<void> {
  await reachSecondStep(page, person)
  await codeField(page).fill(code)
  await button(page, 'Confirm').click()
  await expectDashboard(page)
}

/** Opens the security page of the current user. */
export async function openSecurity(page: Page): Promise<void> {
  await page.goto('/security')
  await panel(page, 'Recovery codes').waitFor()
}

/** Confirms that the recovery codes on the screen are saved, and returns them. */
export async function keepCodes(page: Page): Promise<string[]> {
  const box = dialog(page, 'Save your recovery codes')
  await expect.poll(() => recoveryCodes(box).count()).toBe(10)
  const shown = await recoveryCodes(box).allInnerTexts()
  await box.getByRole('checkbox', { name: 'I have saved them' }).check()
  await act(box, 'Done')
  await box.waitFor({ state: 'detached' })
  return shown
}

/** Adds an authenticator app on the screen, up to the recovery codes. */
export async function addAppOnScreen(page: Page): Promise<AuthenticatorApp> {
  const box = dialog(page, 'Add an authenticator app')
  await box.getByRole('img', { name: /^QR code/ }).waitFor()
  const app = new AuthenticatorApp(await box.locator('code').innerText())
  await act(box, 'Continue')
  await box.getByLabel('Code from the app').fill(app.next())
  await act(box, 'Confirm')
  return app
}
