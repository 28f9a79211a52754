import type { FactorOverview } from '@gatehouse/contract/sessions/factors'

/** At or below this number of recovery codes, new ones are recommended. */
const fewCodes = 3

/** The recommended next step, most urgent first; `done`: none. */
export type NextStep = 'first' | 'beside' | 'codes' | 'spare' | 'fewCodes' | 'done'

export type Protection = 'weak' | 'fair' | 'good'

type Counts = Pick<FactorOverview, 'totp' | 'passkeys' | 'companions' | 'recovery'>

/** Counts passkeys and apps, the factors recovery codes can replace. */
export function ownFactors({ totp, passkeys }: Pick<Counts, 'totp' | 'passkeys'>): number {
  return totp.length + passkeys.length
}

/** Counts the factors; recovery codes are only a fallback and don't count. */
export function countFactors(overview: Omit<Counts, 'recovery'>): number {
  return ownFactors(overview) + overview.companions
}

/** The recommended next step. */
export function nextStep(overview: Counts): NextStep {
  const { recovery } = overview
  const count = countFactors(overview)
  if (count === 0) return 'first'
  // recovery codes require a passkey or an app
  if (ownFactors(overview) === 0) return 'beside'
  if (recovery.left === 0) return 'codes'
  if (count === 1) return 'spare'
  return recovery.left <= fewCodes ? 'fewCodes' : 'done'
}

/** How well the account is protected: by password only, without a fallback, or well. */
export function protectionOf(overview: Counts): Protection {
  const next = nextStep(overview)
  if (next === 'first') return 'weak'
  return next === 'codes' || next === 'beside' ? 'fair' : 'good'
}
