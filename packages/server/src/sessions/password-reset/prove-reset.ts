import type { SignInWaiting } from '@gatehouse/contract/sessions/companions'
import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Locator } from '../../platform/location.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { presentMoment } from '../companions/present.ts'
import { awaitSignIn, findSignIn, type NamedSignIn } from '../companions/resume-sign-in.ts'
import { type GateParts, requireCompanion } from '../companions/sign-in-gate.ts'
import { SecondFactorInvalid } from '../second-factor/errors.ts'
import type { FactorProof, Factors } from '../second-factor/factors.ts'
import type { AskedFrom } from '../second-factor/passkeys.ts'
import { requireGeoLock } from '../sign-in/geo-lock.ts'
import type { SignInDevices } from '../sign-in/sign-in-device.ts'

export interface ProveResetParts {
  readonly db: Db
  readonly throttle: Throttle
  readonly locator: Locator
  readonly factors: Factors
  readonly gate: GateParts
  readonly devices: SignInDevices
}

/** Proofs that accompany a reset code. */
export interface ResetProof extends FactorProof {
  readonly async?: boolean | null | undefined
}

/**
 * Applies the checks of a sign-in to a password reset, so that a mailed link can't bypass them: country,
 * second factor, companion device. Returns undefined if the password may be set, or the pending confirmation.
 * Throws what a sign-in throws.
 */
export async function proveReset(
  parts: ProveResetParts,
  userId: number,
  proof: ResetProof,
  from: Pick<RequestFacts, 'ip' | 'userAgent' | 'variant' | 'sentDevice' | 'onHangUp'>,
): Promise<SignInWaiting | undefined> {
  const { ip, userAgent, onHangUp } = from
  await requireGeoLock(parts.db, parts.locator, userId, ip)
  const provedBy = await requireFactor(parts, userId, proof, from)
  const wait = proof.async === true ? 'elsewhere' : 'here'
  const waiting = await requireCompanion(parts.gate, {
    userId,
    ip,
    userAgent,
    service: 'reset',
    provedBy,
    wait,
    onHangUp,
  })
  return waiting === 'confirmed' ? undefined : waiting
}

/**
 * The same for a pending reset, whose second factor was already proved. Returns undefined once the device has
 * approved it, or the expiry while it is pending. Throws CompanionRefused or SignInNotConfirmed.
 */
export async function resumeReset(
  { db, locator, gate, throttle }: ProveResetParts,
  userId: number,
  { attempt, secret, wait }: NamedSignIn & { readonly wait?: number | null | undefined },
  ip: string,
): Promise<Pick<SignInWaiting, 'status' | 'expiresAt'> | undefined> {
  await requireGeoLock(db, locator, userId, ip)
  const named = { attempt, secret, userId, service: 'reset' } as const
  const now = await awaitSignIn(gate, await findSignIn({ ...gate, throttle }, named, ip), wait ?? 0)
  return 'userId' in now ? undefined : { status: 'waiting', expiresAt: presentMoment(now.expiresAt) }
}

/** Throttles wrong second factors per user and network, or per known device. */
async function requireFactor(
  { throttle, factors, devices }: ProveResetParts,
  userId: number,
  proof: FactorProof,
  { ip, variant, sentDevice }: AskedFrom & Pick<RequestFacts, 'sentDevice'>,
) {
  const known = await devices.recognise({ id: userId }, { ip, sentDevice })
  return throttle.guard(
    { kind: 'second-factor', account: userId, ip, known },
    (error) => error instanceof SecondFactorInvalid,
    () => factors.require(userId, proof, { purpose: 'reset', ip, variant }),
  )
}
