import type { SignInWaiting } from '@gatehouse/contract/companions'
import { CompanionRefused } from '../companions/errors.ts'
import { presentMoment } from '../companions/present.ts'
import { type NamedSignIn, resumeSignIn } from '../companions/resume-sign-in.ts'
import { type GateParts, requireCompanion } from '../companions/sign-in-gate.ts'
import { SecondFactorInvalid } from '../factors/errors.ts'
import type { FactorProof, Factors } from '../factors/factors.ts'
import type { AskedFrom } from '../factors/passkeys.ts'
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
}

/**
 * A link by mail must not be a way around what a sign-in has to pass: country, second factor, companion device. Returns
 * undefined when the password may be set, or what waits for the device. Throws what a sign-in throws.
 */
export async function proveReset(
  parts: ProveResetParts,
  userId: number,
  proof: ResetProof,
  { ip, userAgent, variant }: Pick<RequestFacts, 'ip' | 'userAgent' | 'variant'>,
): Promise<SignInWaiting | undefined> {
  await requireGeoLock(parts.db, parts.locator, userId, ip)
  const provedBy = await requireFactor(parts, userId, proof, { ip, variant })
  const wait = proof.async === true ? 'elsewhere' : 'here'
  return requireCompanion(parts.gate, { userId, ip, userAgent, service: 'reset', provedBy, wait })
}

/**
 * The same for a reset that waits already: its second factor was proved before. Returns undefined when the device has
 * let it in, and the end of its waiting while it still waits. Throws CompanionRefused or SignInNotConfirmed.
 */
export async function resumeReset(
  { db, locator, gate, throttle }: ProveResetParts,
  userId: number,
  { attempt, secret, wait }: NamedSignIn & { readonly wait?: number | null | undefined },
  ip: string,
): Promise<Pick<SignInWaiting, 'status' | 'expiresAt'> | undefined> {
  await requireGeoLock(db, locator, userId, ip)
  const now = await throttle.guard(
    [{ rule: perAddress('login-attempt'), subject: ip }],
    (error) => error instanceof CompanionRefused,
    () => resumeSignIn(gate, { attempt, secret, userId, service: 'reset' }, wait ?? 0),
  )
  return 'userId' in now ? undefined : { status: 'waiting', expiresAt: presentMoment(now.expiresAt) }
}

/** Wrong second factors are throttled for the user and for the network address. */
function requireFactor(
  { throttle, factors }: ProveResetParts,
  userId: number,
  proof: FactorProof,
  { ip, variant }: AskedFrom,
) {
  return throttle.guard(
    [
      { rule: perSubject('second-factor'), subject: String(userId) },
      { rule: perAddress('second-factor'), subject: ip },
    ],
    (error) => error instanceof SecondFactorInvalid,
    () => factors.require(userId, proof, { purpose: 'reset', ip, variant }),
  )
}
