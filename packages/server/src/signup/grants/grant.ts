import type { Db } from '../../platform/db/database.ts'
import type { Plan } from '../../subscriptions/plan-store.ts'

/** What authorizes an account: a mailed code, a token, an invitation, or the intent to pay. */
export interface Grant {
  /** The only plan it is valid for. */
  readonly plan: Plan
  /** Whether there was a throttled first step; everything else can be sent without limit. */
  readonly hasFirstStep: boolean
  /** An address that was proved or written to. */
  readonly externalEmail: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  /** The token used, in upper case. */
  readonly token: string | null
  /** The referral code from the first step. */
  readonly referral: string | null
  /**
   * Consumes the grant, inside the transaction that creates the account. Throws the field's error if it was
   * consumed meanwhile.
   */
  consume(trx: Db): Promise<void>
  /** Records which account it created. */
  belongsTo(trx: Db, userId: number): Promise<void>
}
