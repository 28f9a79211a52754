import { hasBit, userStatus } from '@gatehouse/contract/status'

/**
 * Whether an account in mandate mode is locked for all its users, until the first payment makes its owner
 * active.
 */
export function awaitsPayment(planMode: string | null | undefined, ownerStatus: number): boolean {
  return planMode === 'mandate' && !hasBit(ownerStatus, userStatus.active)
}
