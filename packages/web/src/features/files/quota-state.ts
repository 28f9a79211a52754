import type { FileQuota } from '@gatehouse/contract/files/file-history'

/** From which share of the room on somebody is warned. */
const warnFrom = 0.9

export interface QuotaState {
  /** From 0 to 1. */
  share: number
  /** Bytes that are free. */
  left: number
  state: 'roomy' | 'tight' | 'full'
}

/** How much of the room is taken. More than there is may be: somebody can give up storage. */
export function quotaState({ limit, used }: Pick<FileQuota, 'limit' | 'used'>): QuotaState {
  const left = Math.max(0, limit - used)
  const share = limit > 0 ? Math.min(1, used / limit) : 1
  return { share, left, state: left === 0 ? 'full' : share >= warnFrom ? 'tight' : 'roomy' }
}
