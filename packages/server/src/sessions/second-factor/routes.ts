import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { NotFound, Unauthenticated } from '../../platform/http/errors.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { fullName } from '../../users/user.ts'
import type { SignInDevices } from '../sign-in/sign-in-device.ts'
import type { StepUp } from '../step-up/step-up.ts'
import {
  addFactor,
  beginTotp,
  type ChangeParts,
  dropFactor,
  nameFactor,
  renewRecoveryCodes,
} from './change-factors.ts'
import { SecondFactorInvalid } from './errors.ts'
import type { Passkeys } from './passkeys.ts'
import { presentFactors } from './present.ts'
import { drawQrCode } from './qr-code.ts'
import type { TotpFactors } from './totp.ts'

export interface FactorRouteParts extends ChangeParts {
  readonly throttle: Throttle
  readonly totp: TotpFactors
  readonly passkeys: Passkeys
  readonly devices: SignInDevices
  readonly stepUp: StepUp
  readonly views: AccountViews
  readonly secondFactorRules: SecondFactorRules
}

/** The signed-in user's second factors: authenticator apps, passkeys, recovery codes. */
export function serveFactors(api: Api, parts: FactorRouteParts): void {
  const { totp, passkeys } = parts

  api.serve('GET /api/v4/factors', ({ principal }) => presentFactors(parts, principal.userId))

  api.serve('POST /api/v4/factors/totp', async ({ principal, body, t }) => {
    const label = body.label ?? t('factors.totp-name')
    const pending = await beginTotp(parts, principal, label)
    return {
      status: 'success',
      id: pending.id,
      secret: pending.secret,
      uri: pending.uri,
      qrcode: await drawQrCode(pending.uri),
      expires_at: wireDate(pending.expiresAt),
    }
  })

  api.serve(
    'POST /api/v4/factors/totp/{id}/confirm',
    async ({ principal, params, body, t, ip, sentDevice }) => {
      const { userId } = principal
      const known = await parts.devices.recognise({ id: userId }, { ip, sentDevice })
      const { id, recoveryCodes } = await parts.throttle.guard(
        { kind: 'second-factor', account: userId, ip, known },
        (error) => error instanceof SecondFactorInvalid,
        () =>
          addFactor(parts, { principal, ip }, async (trx) => {
            const label = await totp.confirm(trx, userId, params.id, body.code)
            if (label === undefined) throw new NotFound()
            if (label === false) throw new SecondFactorInvalid('code', {}, 'code')
            return { id: params.id, kind: 'totp', name: label }
          }),
      )
      return enrolled(id, recoveryCodes, t('factors.added'))
    },
  )

  api.serve('POST /api/v4/factors/passkeys/options', async ({ principal, ip, variant }) => {
    const view = await parts.views.own(principal)
    if (view === undefined) throw new Unauthenticated()
    const { first_name: firstName, last_name: lastName } = view.settings
    const name = fullName({ firstName, lastName })
    const owner = { id: principal.userId, email: principal.email, name }
    const begun = await passkeys.beginRegistration(owner, { sessionId: principal.sessionId, ip, variant })
    return { status: 'success', ...begun }
  })

  api.serve('POST /api/v4/factors/passkeys', async ({ principal, body, t, ip }) => {
    const passkey = await passkeys.register(body, principal)
    if (passkey === undefined) throw new SecondFactorInvalid('passkey', {}, 'response')
    const name = body.name ?? t('factors.passkey-name')
    const { id, recoveryCodes } = await addFactor(parts, { principal, ip }, async (trx) => ({
      id: await passkeys.keep(trx, principal.userId, passkey, name),
      kind: 'passkey',
      name,
    }))
    return enrolled(id, recoveryCodes, t('factors.added'))
  })

  api.serve('PUT /api/v4/factors/totp/{id}', async ({ principal, params, body, t, ip }) => {
    await nameFactor(parts, { principal, ip }, 'totp', params.id, body.label)
    return { status: 'success', message: t('factors.renamed') }
  })

  api.serve('PUT /api/v4/factors/passkeys/{id}', async ({ principal, params, body, t, ip }) => {
    await nameFactor(parts, { principal, ip }, 'passkey', params.id, body.name)
    return { status: 'success', message: t('factors.renamed') }
  })

  api.serve('DELETE /api/v4/factors/totp/{id}', async ({ principal, params, t, ip }) => {
    await dropFactor(parts, { principal, ip }, 'totp', params.id)
    return { status: 'success', message: t('factors.removed') }
  })

  api.serve('DELETE /api/v4/factors/passkeys/{id}', async ({ principal, params, t, ip }) => {
    await dropFactor(parts, { principal, ip }, 'passkey', params.id)
    return { status: 'success', message: t('factors.removed') }
  })

  api.serve('POST /api/v4/factors/recovery-codes', async ({ principal, t, ip }) => {
    const recoveryCodes = await renewRecoveryCodes(parts, { principal, ip })
    return { status: 'success', message: t('factors.recovery-renewed'), recoveryCodes }
  })
}

function enrolled(id: string, recoveryCodes: string[] | undefined, message: string) {
  return { status: 'success' as const, message, id, ...(recoveryCodes && { recoveryCodes }) }
}
