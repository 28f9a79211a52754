import type { StepUpMeans } from '@gatehouse/contract/sessions/proofs'
import type { ProofNeed } from '../../platform/api/api-error.ts'

/**
 * Returns the means the user can choose from, in the server's order. Passkeys need a challenge and browser
 * support.
 */
export function offeredMeans({ factors, passkey }: ProofNeed, withPasskeys: boolean): StepUpMeans[] {
  return factors.filter((means) => means !== 'passkey' || (withPasskeys && passkey !== undefined))
}
