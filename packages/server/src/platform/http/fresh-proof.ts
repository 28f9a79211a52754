import type { Principal } from './callers/principal.ts'

/** Asks the caller for a fresh proof of identity before an act that changes who can sign in. */
export interface FreshProof {
  /** Throws StepUpRequired when the last proof is too old. */
  requireFresh(principal: Principal): Promise<void>
}
