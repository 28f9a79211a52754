import { hasBit, userStatus } from '@gatehouse/contract/status'

/**
 * An account of a plan in mandate mode is locked for all its users until its owner is active, which the first payment
 * does.
 */
export function awaitsPayment(planMode: string | null | undefined, ownerStatus: number): boolean {
  return planMode === 'mandate' && !hasBit(ownerStatus, userStatus.active)
}

/** The same in SQL; the table of the account's owner is called `o` and may be missing. */
export const ownerAwaitsPayment = `(o.status & ${userStatus.active} = 0 and exists (
  select from user_settings plan_setting join plans on plans.id::text = plan_setting.value
  where plan_setting.user_id = o.id and plan_setting.key = 'plan_id' and plans.mode = 'mandate')) is true`
