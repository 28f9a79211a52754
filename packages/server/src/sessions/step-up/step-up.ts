import { stepUpLife } from '@gatehouse/contract/sessions/factors'
import type { PasskeyRequest, StepUpMeans } from '@gatehouse/contract/sessions/proofs'
import type { Hasher } from '../../passwords/hasher.ts'
import { passwordHashOf } from '../../passwords/password-store.ts'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { BorrowedRefused, message, ValidationError } from '../../platform/http/errors.ts'
import { borrowedCaller } from '../../platform/http/policy.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { StepUpRequired } from '../second-factor/errors.ts'
import type { FactorProof, Factors } from '../second-factor/factors.ts'
import type { AskedFrom } from '../second-factor/passkeys.ts'
import type { SignInDevices } from '../sign-in/sign-in-device.ts'
import type { Tokens } from '../tokens/tokens.ts'

export interface StepUpParts {
  readonly db: Db
  readonly clock: Clock
  readonly hasher: Hasher
  readonly throttle: Throttle
  readonly tokens: Tokens
  readonly factors: Factors
  readonly devices: SignInDevices
}

/** What a client sends to reauthenticate. */
export interface StepUpProof extends FactorProof {
  readonly password?: string | null | undefined
}

/** The password for reauthentication is wrong (422 at `password`). */
export class PasswordWrong extends ValidationError {
  constructor() {
    super({ password: message('auth.password-wrong') })
  }
}

/** Step-up authentication: calls that change access or move money require recent authentication. */
export class StepUp {
  readonly #parts: StepUpParts

  constructor(parts: StepUpParts) {
    this.#parts = parts
  }

  /**
   * Throws StepUpRequired if the last authentication is older than ten minutes, and BorrowedRefused for
   * impersonated sessions, which can't reauthenticate.
   */
  async requireFresh(principal: Principal): Promise<void> {
    const borrowed = borrowedCaller(principal)
    if (borrowed !== undefined) throw new BorrowedRefused(borrowed)
    const { authenticatedAt } = principal
    if (authenticatedAt !== null && this.#parts.clock.now() < after(authenticatedAt, stepUpLife)) return
    throw new StepUpRequired(await this.means(principal.userId))
  }

  /** Returns how a user can reauthenticate: with a factor if there is one, otherwise the password. */
  async means(userId: number): Promise<StepUpMeans[]> {
    const kinds = await this.#parts.factors.kinds(userId)
    return kinds.length === 0 ? ['password'] : kinds
  }

  /** Returns the means, with a challenge for passkeys. */
  async ask(
    principal: Principal,
    from: AskedFrom,
  ): Promise<{ factors: StepUpMeans[]; passkey?: PasskeyRequest }> {
    const { factors } = this.#parts
    const kinds = await factors.kinds(principal.userId)
    if (kinds.length === 0) return { factors: ['password'] }
    const passkey = await factors.askPasskey(principal.userId, kinds, useOf(principal, from))
    return { factors: kinds, ...(passkey && { passkey }) }
  }

  /**
   * Verifies a proof, renews the session's authentication and returns when it expires. Throws ValidationError at
   * `password` or `secondfactor`. Guesses are throttled per user and network, or per known device.
   */
  async prove(
    principal: Principal,
    proof: StepUpProof,
    from: AskedFrom & { readonly sentDevice: string | undefined },
  ): Promise<Date> {
    const { throttle, db, tokens, clock, devices } = this.#parts
    const { userId } = principal
    const known = await devices.recognise({ id: userId }, from)
    await throttle.guard(
      { kind: 'step-up', account: userId, ip: from.ip, known },
      (error) => error instanceof ValidationError && isGuess(proof),
      () => this.#check(principal, proof, { ...from, isKnown: known !== undefined }),
    )
    await db.transaction().execute((trx) => tokens.prove(trx, principal.sessionId))
    return after(clock.now(), stepUpLife)
  }

  async #check(
    principal: Principal,
    proof: StepUpProof,
    from: AskedFrom & { readonly isKnown: boolean },
  ): Promise<void> {
    const { factors, db, hasher } = this.#parts
    const { userId } = principal
    const kinds = await factors.kinds(userId)
    if (kinds.length > 0) {
      await factors.require(userId, proof, useOf(principal, from))
      return
    }
    if (proof.password == null) throw ValidationError.at('password', 'validation.required')
    if (!(await hasher.verify(await passwordHashOf(db, userId), proof.password, from))) {
      throw new PasswordWrong()
    }
  }
}

function isGuess(proof: StepUpProof): boolean {
  return proof.password != null || proof.secondfactor != null || proof.passkey != null
}

function useOf({ sessionId }: Principal, { ip, variant }: AskedFrom) {
  return { purpose: 'step-up' as const, sessionId, ip, variant }
}
