import type { PasskeyRequest } from '@gatehouse/contract/sessions/proofs'
import { Secret, TOTP } from 'otpauth'
import { SoftwareAuthenticator } from './authenticator.ts'
import type { MadeUser } from './factories.ts'
import type { Answer, TestApp } from './test-app.ts'

/** An authenticator app set up in a session; generates the code of a given number of steps from now. */
export interface EnrolledTotp {
  readonly id: string
  readonly recoveryCodes: string[] | undefined
  readonly code: (steps?: number) => string
}

/** Sets up an authenticator app like the security screen; this consumes the confirming code. */
export async function enrolTotp(app: TestApp, token: string, label = 'My phone'): Promise<EnrolledTotp> {
  const { body: begun } = await app.call('POST /api/v4/factors/totp', { token, body: { label } })
  const totp = new TOTP({ secret: Secret.fromBase32(begun.secret) })
  const code = (steps = 0) => totp.generate({ timestamp: app.clock.now().getTime() + steps * 30_000 })
  const path = `POST /api/v4/factors/totp/${begun.id}/confirm`
  const { status, body } = await app.call(path, { token, body: { code: code(-1) } })
  if (status !== 200) throw new Error(`enrolment failed: ${JSON.stringify(body)}`)
  return { id: begun.id, recoveryCodes: body.recoveryCodes, code }
}

export interface EnrolledPasskey {
  readonly id: string
  readonly recoveryCodes: string[] | undefined
  readonly device: SoftwareAuthenticator
}

/** Sets up a passkey like the security screen. */
export async function enrolPasskey(
  app: TestApp,
  token: string,
  device = new SoftwareAuthenticator(),
): Promise<EnrolledPasskey> {
  const { body: begun } = await app.call('POST /api/v4/factors/passkeys/options', { token })
  const body = { ...device.create(begun), name: 'My laptop' }
  const answer = await app.call('POST /api/v4/factors/passkeys', { token, body })
  if (answer.status !== 200) throw new Error(`enrolment failed: ${JSON.stringify(answer.body)}`)
  return { id: answer.body.id, recoveryCodes: answer.body.recoveryCodes, device }
}

/** Signs in with the password and additional fields. */
export function login(app: TestApp, user: MadeUser, more: Record<string, unknown> = {}): Promise<Answer> {
  return app.call('POST /api/auth/login', {
    body: { email: user.email, password: user.password, ...more },
  })
}

/** Returns the challenge of a sign-in without a factor. */
export async function loginChallenge(app: TestApp, user: MadeUser): Promise<PasskeyRequest> {
  const { body } = await login(app, user)
  return body.passkey
}
