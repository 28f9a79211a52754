import { type MadeUser, signInAs } from './factories.ts'
import type { Answer, TestApp } from './test-app.ts'

/** A user's paired device. */
export interface MadeDevice {
  readonly id: string
  /** Access token of scope `mfa`. */
  readonly token: string
  readonly refreshToken: string
}

/** Creates a device in a portal session and returns its id. */
export async function createDevice(
  app: TestApp,
  token: string,
  body: { name?: string; recovery?: boolean } = {},
): Promise<string> {
  const made = await app.call('POST /api/v4/companions', { token, body: { name: 'Phone', ...body } })
  if (made.status !== 200) throw new Error(`no device: ${JSON.stringify(made.body)}`)
  return made.body.id as string // guaranteed by the contract
}

/** Exchanges a pairing secret like a device. */
export function pair(app: TestApp, body: Record<string, unknown>, ip?: string): Promise<Answer> {
  return app.call('POST /api/v4/companion/pair', {
    body: { deviceId: 'device-1', name: 'Phone', ...body },
    ...(ip !== undefined && { ip }),
  })
}

/** Creates and pairs a device of a user with a portal session. */
export async function pairDevice(app: TestApp, token: string, name = 'Phone'): Promise<MadeDevice> {
  const id = await createDevice(app, token, { name })
  const { body } = await app.call(`GET /api/v4/companions/${id}/pairing`, { token })
  const answer = await pair(app, { companionId: id, secret: body.clientSecret, name })
  if (answer.status !== 200) throw new Error(`not paired: ${JSON.stringify(answer.body)}`)
  return { id, token: answer.body.access_token, refreshToken: answer.body.refresh_token }
}

/** Signs a user in and creates a device. */
export async function makeDevice(app: TestApp, user: MadeUser, name?: string): Promise<MadeDevice> {
  return pairDevice(app, (await signInAs(app, user)).access_token, name)
}
