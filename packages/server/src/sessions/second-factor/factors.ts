import type { FactorKind, PasskeyProof, PasskeyRequest } from '@gatehouse/contract/sessions/proofs'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ErrorFacts } from '../../platform/http/errors.ts'
import { tenantOf } from '../../users/member-store.ts'
import { tellSecurity } from '../security-notice.ts'
import { SecondFactorInvalid, SecondFactorRequired } from './errors.ts'
import { kindsOf, recoveryCodesOf } from './factor-store.ts'
import type { ChallengeUse } from './passkey-challenges.ts'
import type { AskedFrom, Passkeys } from './passkeys.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import type { TotpFactors } from './totp.ts'

/** What a client sends to prove the second factor. */
export interface FactorProof {
  /** A code of an authenticator app, or a recovery code. */
  readonly secondfactor?: string | null | undefined
  readonly passkey?: PasskeyProof | null | undefined
}

/** Context in which a factor is requested: the response to a challenge is valid only there. */
export interface FactorUse extends AskedFrom {
  readonly purpose: 'login' | 'reset' | 'step-up'
  readonly sessionId?: string
}

export interface FactorParts {
  readonly db: Db
  readonly clock: Clock
  readonly totp: TotpFactors
  readonly recovery: RecoveryCodes
  readonly passkeys: Passkeys
}

/** A user's second factors: any one of them suffices, and each proof works once. */
export class Factors {
  readonly #parts: FactorParts

  constructor(parts: FactorParts) {
    this.#parts = parts
  }

  /**
   * Returns the user's kinds in the order of the contract; recovery codes only count next to another factor.
   */
  async kinds(userId: number): Promise<FactorKind[]> {
    const has = await kindsOf(this.#parts.db, userId)
    if (!has.passkey && !has.totp) return []
    return (['passkey', 'totp', 'recovery'] as const).filter((kind) => has[kind])
  }

  /**
   * Passes users without a factor; otherwise verifies and consumes the proof and returns its kind. Throws
   * SecondFactorRequired or SecondFactorInvalid, both with the available alternatives.
   */
  async require(userId: number, proof: FactorProof, use: FactorUse): Promise<FactorKind | undefined> {
    const kinds = await this.kinds(userId)
    if (kinds.length === 0) return undefined
    const ways = () => this.#ways(userId, kinds, use)
    if (proof.passkey != null) {
      const isProved =
        (await this.#parts.passkeys.prove(proof.passkey, useOf(userId, use), use.ip)) === userId
      if (!isProved) throw new SecondFactorInvalid('passkey', await ways())
      return 'passkey'
    }
    if (proof.secondfactor == null || proof.secondfactor.trim() === '') {
      throw new SecondFactorRequired(await ways())
    }
    const kind = await this.#takeCode(userId, proof.secondfactor, use.ip)
    if (kind === undefined) throw new SecondFactorInvalid('code', await ways())
    return kind
  }

  /** Returns a challenge for a user's passkeys; undefined if there are none. */
  async askPasskey(
    userId: number,
    kinds: readonly FactorKind[],
    use: FactorUse,
  ): Promise<PasskeyRequest | undefined> {
    return kinds.includes('passkey') ? this.#parts.passkeys.ask(useOf(userId, use), use) : undefined
  }

  async #ways(userId: number, kinds: FactorKind[], use: FactorUse): Promise<ErrorFacts> {
    const passkey = await this.askPasskey(userId, kinds, use)
    return { factors: kinds, ...(passkey && { passkey }) }
  }

  async #takeCode(userId: number, code: string, ip: string): Promise<'totp' | 'recovery' | undefined> {
    const { db, totp, recovery, clock } = this.#parts
    if (await totp.take(db, userId, code)) return 'totp'
    return db.transaction().execute(async (trx) => {
      if (!(await recovery.take(trx, userId, code))) return undefined
      const { left } = await recoveryCodesOf(trx, userId)
      const tenantId = await tenantOf(trx, userId)
      await audit(trx, clock, {
        tenantId,
        objectType: 'user',
        objectId: userId,
        event: 'user.recovery-code-used',
        actor: { userId, ip },
        data: { left },
      })
      await tellSecurity(trx, this.#parts, { userId, kind: 'recovery-used', ip, left })
      return 'recovery'
    })
  }
}

function useOf(userId: number, { purpose, sessionId }: FactorUse): ChallengeUse {
  return { purpose, userId, sessionId }
}
