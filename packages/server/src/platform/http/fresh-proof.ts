import type { Principal } from './callers/principal.ts'

/** Requires re-authentication before an action that changes who can sign in. */
export interface FreshProof {
  /** Throws StepUpRequired if the last authentication is too old. */
  requireFresh(principal: Principal): Promise<void>
}
