import type { Routes } from '@gatehouse/contract/routes'
import type { PasskeyProof, PasskeyRegistration, PasskeyRequest } from '@gatehouse/contract/sessions/proofs'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { MessageKey } from '../../i18n/areas.ts'
import { t } from '../../i18n/i18n.ts'

export type PasskeyFault = 'cancelled' | 'known' | 'unusable'

const sentences: Record<PasskeyFault, MessageKey> = {
  cancelled: 'proof.passkeyCancelled',
  known: 'proof.passkeyKnown',
  unusable: 'proof.passkeyUnusable',
}

/** No passkey was provided by the browser or the user; the message can be shown to the user. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  readonly fault: PasskeyFault

  constructor(fault: PasskeyFault, cause: unknown) {
    super(t(sentences[fault]), { cause })
    this.fault = fault
  }
}

/** Asks the browser to answer a challenge with one of the user's passkeys (WebAuthn Level 3, §7.2). */
export async function answerPasskey({ challenge, options }: PasskeyRequest): Promise<PasskeyProof> {
  const given = await asked(startAuthentication({ optionsJSON: options }))
  const { id, rawId, type, authenticatorAttachment, response } = given
  return { challenge, response: { id, rawId, type, authenticatorAttachment, response } }
}

/** Asks the browser to create a passkey (WebAuthn Level 3, §7.1). */
export async function makePasskey({
  challenge,
  options,
}: Routes['POST /api/v4/factors/passkeys/options']['ok']): Promise<PasskeyRegistration> {
  const made = await asked(startRegistration({ optionsJSON: options }))
  const { id, rawId, type, authenticatorAttachment, response } = made
  const { clientDataJSON, attestationObject, transports } = response
  return {
    challenge,
    response: {
      ...{ id, rawId, type, authenticatorAttachment },
      response: { clientDataJSON, attestationObject, transports },
    },
  }
}

async function asked<T>(ceremony: Promise<T>): Promise<T> {
  try {
    return await ceremony
  } catch (cause) {
    throw new PasskeyError(faultOf(cause), cause)
  }
}

/** Browsers report little on purpose: "not allowed" means cancelled by the user as well as timed out. */
function faultOf(cause: unknown): PasskeyFault {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
  return name === 'InvalidStateError' ? 'known' : 'unusable'
}
