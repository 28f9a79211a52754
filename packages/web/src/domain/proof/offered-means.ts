import type { StepUpMeans } from '@gatehouse/contract/sessions/proofs'
import type { ProofNeed } from '../../platform/api/api-error.ts'

/** What somebody can choose from, in the order of the server: passkeys only with a challenge and a browser for them. */
export function offeredMeans({ factors, passkey }: ProofNeed, withPasskeys: boolean): StepUpMeans[] {
  return factors.filter((means) => means !== 'passkey' || (withPasskeys && passkey !== undefined))
}
