import type { Db } from '../../platform/db/database.ts'
import type { Plan } from '../../subscriptions/plan-store.ts'

/** What entitles somebody to an account: a code from a mail, a token, an invitation, or the will to pay. */
export interface Grant {
  /** The only plan that it is good for. */
  readonly plan: Plan
  /** Came in the first step, from where not many come at once; everything else can be sent as often as one likes. */
  readonly hasFirstStep: boolean
  /** An address that the person can read, or was written to. */
  readonly externalEmail: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  /** The token that was shown, in capital letters. */
  readonly token: string | null
  /** The code of a friend that the first step brought along. */
  readonly referral: string | null
  /** Uses it up, inside the transaction that creates the account. Throws what the caller is told when another was faster. */
  consume(trx: Db): Promise<void>
  /** Notes whose account it became. */
  belongsTo(trx: Db, userId: number): Promise<void>
}
