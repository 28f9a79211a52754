import type { SignInWaiting } from '@gatehouse/contract/companions'
import { CompanionRefused } from '../companions/errors.ts'
import { presentMoment } from '../companions/present.ts'
import { resumeSignIn } from '../companions/resume-sign-in.ts'
import { type GateParts, requireCompanion } from '../companions/sign-in-gate.ts'
import { SecondFactorInvalid } from '../factors/errors.ts'
import type { FactorProof, Factors } from '../factors/factors.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/api.ts'
import { perAddress, perSubject, type Throttle } from '../platform/throttle/throttle.ts'
import { requireGeoLock } from '../sessions/geo-lock.ts'
import type { Locator } from '../sessions/location.ts'

export interface ProveResetParts {
  readonly db: Db
  readonly throttle: Throttle
  readonly locator: Locator
  readonly factors: Factors
  readonly gate: GateParts
}

/** What comes along with a reset code. */
export interface ResetProof extends FactorProof {
  readonly async?: boolean | null | undefined
  readonly attempt?: string | null | undefined
  readonly secret?: string | null | undefined
  readonly wait?: number | null | undefined
}

/** A reset that waits for a companion device, now or still. */
export type ResetWaiting = SignInWaiting | Pick<SignInWaiting, 'status' | 'expiresAt'>

/**
 * A link by mail must not be a way around what a sign-in has to pass: country, second factor, companion device. Returns
 * undefined when the password may be set, or what waits for the device; it is named when it is asked again, and stands
 * then for the factor, which had to be proved for it. Throws what a sign-in throws.
 */
export async function proveReset(
  parts: ProveResetParts,
  userId: number,
  proof: ResetProof,
  { ip, userAgent }: Pick<RequestFacts, 'ip' | 'userAgent'>,
): Promise<ResetWaiting | undefined> {
  await requireGeoLock(parts.db, parts.locator, userId, ip)
  const { attempt, secret } = proof
  if (attempt != null && secret != null)
    return resume(parts, userId, { attempt, secret }, proof.wait ?? 0, ip)
  const provedBy = await requireFactor(parts, userId, proof, ip)
  const wait = proof.async === true ? 'elsewhere' : 'here'
  return requireCompanion(parts.gate, { userId, ip, userAgent, service: 'reset', provedBy, wait })
}

async function resume(
  { gate, throttle }: ProveResetParts,
  userId: number,
  named: { readonly attempt: string; readonly secret: string },
  seconds: number,
  ip: string,
): Promise<ResetWaiting | undefined> {
  const now = await throttle.guard(
    [{ rule: perAddress('login-attempt'), subject: ip }],
    (error) => error instanceof CompanionRefused,
    () => resumeSignIn(gate, { ...named, userId, service: 'reset' }, seconds),
  )
  return 'userId' in now ? undefined : { status: 'waiting', expiresAt: presentMoment(now.expiresAt) }
}

/** Wrong second factors are throttled for the user and for the network address. */
function requireFactor(
  { throttle, factors }: ProveResetParts,
  userId: number,
  proof: FactorProof,
  ip: string,
) {
  return throttle.guard(
    [
      { rule: perSubject('second-factor'), subject: String(userId) },
      { rule: perAddress('second-factor'), subject: ip },
    ],
    (error) => error instanceof SecondFactorInvalid,
    () => factors.require(userId, proof, { purpose: 'reset', ip }),
  )
}
