import { hasBit, userStatus } from '@gatehouse/contract/status'

/**
 * An account of a plan in mandate mode is locked for all its users until its owner is active, which the first payment
 * does.
 */
export function awaitsPayment(planMode: string | null | undefined, ownerStatus: number): boolean {
  return planMode === 'mandate' && !hasBit(ownerStatus, userStatus.active)
}
