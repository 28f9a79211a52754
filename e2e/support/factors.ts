import pg from 'pg'
import type { Page } from 'playwright-core'
import { AuthenticatorApp } from './authenticator-app.ts'
import { portal } from './portal.ts'
import { send } from './users.ts'

/** An authenticator app as somebody has set it up, with the recovery codes that came with it. */
export interface EnrolledApp {
  readonly app: AuthenticatorApp
  readonly recoveryCodes: readonly string[]
}

interface Person {
  readonly email: string
  readonly password: string
}

/** Sets up an authenticator app over the wire, for tests about something else. */
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

/** Makes the last proof of all sessions of somebody eleven minutes old. */
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

/** Gives the page a device that makes and uses passkeys without asking a person. */
export async function withDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
