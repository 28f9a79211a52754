/** Share of the quota from which a warning is shown. */
const warnFrom = 0.9

export interface UsageState {
  /** From 0 to 1. */
  share: number
  /** Free bytes. */
  left: number
  state: 'roomy' | 'tight' | 'full'
}

/** Storage usage. It may exceed the quota, because storage can be reduced. */
export function usageState({ limit, used }: { limit: number; used: number }): UsageState {
  const left = Math.max(0, limit - used)
  const share = limit > 0 ? Math.min(1, used / limit) : 1
  return { share, left, state: left === 0 ? 'full' : share >= warnFrom ? 'tight' : 'roomy' }
}
