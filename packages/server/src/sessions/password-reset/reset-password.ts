import type { Language } from '@gatehouse/contract/language'
import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import type { Hasher } from '../../passwords/hasher.ts'
import {
  isReused,
  newPasswordErrors,
  type RequirementParts,
  requirementsOfUser,
} from '../../passwords/new-password.ts'
import { ResetCodeInvalid, type ResetCodes } from '../../passwords/reset-code.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import type { SignInDevices } from '../sign-in/sign-in-device.ts'
import type { SignInTrace } from '../sign-in/sign-in-log.ts'
import type { TokenPair } from '../tokens/token-facts.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { passwordChangedJob, resetMailJob } from './reset-mail.ts'
import { setPassword } from './set-password.ts'

export interface ResetParts extends RequirementParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly hasher: Hasher
  readonly tokens: Tokens
  readonly codes: ResetCodes
  readonly throttle: Throttle
  readonly devices: SignInDevices
  readonly answer: (userId: number, tokens: TokenPair, request: RequestFacts) => Promise<SessionResponse>
}

/** The codes that authorize a new password. */
interface SentCodes {
  readonly code: string
  readonly short_code: string
}

interface NewPassword extends SentCodes {
  readonly password: string
  readonly password_confirmation?: string | null | undefined
}

/**
 * Creates a reset code, mails it to the user with that address if there is one, and returns its long part.
 */
export async function requestReset(
  { db, codes, jobs }: Pick<ResetParts, 'db' | 'codes' | 'jobs'>,
  request: { readonly email: string; readonly ip: string; readonly language: Language },
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const { id, code } = await codes.request(trx)
    await jobs.enqueue(trx, resetMailJob, { id, ...request })
    return code
  })
}

/**
 * Verifies a pair of codes; throttles wrong ones per code and network, or per known device. Throws
 * ResetCodeInvalid or TooManyRequests.
 */
export async function verifyResetCode(
  { codes, devices, throttle }: Pick<ResetParts, 'codes' | 'devices' | 'throttle'>,
  { code, short_code: shortCode }: SentCodes,
  from: Pick<RequestFacts, 'ip' | 'sentDevice'>,
): Promise<{ id: string; userId: number }> {
  const owner = from.sentDevice === undefined ? undefined : await codes.ownerOf(code)
  const known = owner === undefined ? undefined : await devices.recognise({ id: owner }, from)
  return throttle.guard(
    { kind: 'reset-code', account: code, ip: from.ip, known },
    (error) => error instanceof ResetCodeInvalid,
    () => codes.verify(code, shortCode),
  )
}

/**
 * Sets a password once everything is proved, and signs the user in; until then returns what `prove` is waiting
 * for. Throws ResetCodeInvalid, ValidationError at `password`, or what `prove` throws.
 */
export async function resetPassword<W>(
  parts: ResetParts,
  body: NewPassword,
  request: RequestFacts,
  trace: SignInTrace,
  prove: (userId: number) => Promise<W | undefined>,
): Promise<SessionResponse | W> {
  const { db, clock, codes } = parts
  const { ip, language } = request
  const { id, userId } = await verifyResetCode(parts, body, request)
  trace.user = { id: userId }
  const requirements = await requirementsOfUser(db, parts, userId)
  const { policy } = requirements
  const errors = newPasswordErrors(requirements, body.password, body.password_confirmation)
  if (Object.keys(errors).length > 0) throw new ValidationError(errors)
  if (await isReused(db, parts.hasher, policy, userId, body.password, { ip })) {
    throw new ValidationError({ password: [message('validation.password-policy-error')] })
  }
  const waiting = await prove(userId)
  if (waiting !== undefined) return waiting
  const passwordHash = await parts.hasher.hash(body.password, { ip })
  const actor = { userId, ip }
  const tokens = await db.transaction().execute(async (trx) => {
    await codes.consume(trx, id)
    await setPassword(trx, clock, parts.tokens, { userId, passwordHash, policy, actor })
    await parts.jobs.enqueue(trx, passwordChangedJob, { userId, ip, at: clock.now(), language })
    return parts.tokens.beginFor(trx, userId, { ...request, means: { method: 'reset' } })
  })
  return parts.answer(userId, tokens, request)
}
