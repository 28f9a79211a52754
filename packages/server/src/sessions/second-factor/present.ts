import type { FactorOverview } from '@gatehouse/contract/sessions/factors'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Unauthenticated } from '../../platform/http/errors.ts'
import {
  effectiveSecondFactor,
  readSecondFactorPolicy,
  type SecondFactorRules,
} from '../../users/settings/second-factor-policy.ts'
import { countPaired } from '../companions/companion-store.ts'
import { readStanding } from '../standing-store.ts'
import type { StepUp } from '../step-up/step-up.ts'
import { type ListedFactor, listPasskeys, listTotp, recoveryCodesOf } from './factor-store.ts'

export interface PresentParts {
  readonly db: Db
  readonly stepUp: StepUp
  readonly secondFactorRules: SecondFactorRules
}

/** A user's own sign-in security as shown on its screen. */
export async function presentFactors(parts: PresentParts, userId: number): Promise<FactorOverview> {
  const { db } = parts
  const standing = await readStanding(db, userId)
  if (standing === undefined) throw new Unauthenticated()
  const [totp, passkeys, recovery, stepUp, companions] = await Promise.all([
    listTotp(db, userId),
    listPasskeys(db, userId),
    recoveryCodesOf(db, userId),
    parts.stepUp.means(userId),
    countPaired(db, userId),
  ])
  const account = readSecondFactorPolicy(standing.factorPolicy)
  const policy = effectiveSecondFactor(parts.secondFactorRules, standing.role, account)
  return {
    totp: totp.map((factor) => ({ ...times(factor), label: factor.name })),
    passkeys: passkeys.map((passkey) => ({
      ...times(passkey),
      name: passkey.name,
      isBackedUp: passkey.isBackedUp,
    })),
    recovery: {
      left: recovery.left,
      created_at: recovery.createdAt === null ? null : wireDate(recovery.createdAt),
    },
    companions,
    policy,
    stepUp,
    isLastKept: policy.value === 'required',
  }
}

function times({ id, createdAt, lastUsedAt }: ListedFactor) {
  return {
    id,
    created_at: wireDate(createdAt),
    last_used_at: lastUsedAt === null ? null : wireDate(lastUsedAt),
  }
}
