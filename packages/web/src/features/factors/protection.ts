import type { FactorOverview } from '@gatehouse/contract/sessions/factors'

/** So few recovery codes are left that new ones should be made. */
const fewCodes = 3

/** What somebody should do next, the most pressing first; `done`: nothing. */
export type NextStep = 'first' | 'beside' | 'codes' | 'spare' | 'fewCodes' | 'done'

export type Protection = 'weak' | 'fair' | 'good'

type Counts = Pick<FactorOverview, 'totp' | 'passkeys' | 'companions' | 'recovery'>

/** Passkeys and apps: what recovery codes stand in for. */
export function ownFactors({ totp, passkeys }: Pick<Counts, 'totp' | 'passkeys'>): number {
  return totp.length + passkeys.length
}

/** How many factors there are; recovery codes are the way back to them and do not count. */
export function countFactors(overview: Omit<Counts, 'recovery'>): number {
  return ownFactors(overview) + overview.companions
}

/** The recommended next step. */
export function nextStep(overview: Counts): NextStep {
  const { recovery } = overview
  const count = countFactors(overview)
  if (count === 0) return 'first'
  // recovery codes come with a passkey or an app
  if (ownFactors(overview) === 0) return 'beside'
  if (recovery.left === 0) return 'codes'
  if (count === 1) return 'spare'
  return recovery.left <= fewCodes ? 'fewCodes' : 'done'
}

/** How well the account is protected: not at all beside the password, without a way back, or well. */
export function protectionOf(overview: Counts): Protection {
  const next = nextStep(overview)
  if (next === 'first') return 'weak'
  return next === 'codes' || next === 'beside' ? 'fair' : 'good'
}
