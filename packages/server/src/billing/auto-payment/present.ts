import type { Mandate, PaymentMethodId, VatTerms } from '@gatehouse/contract/billing/payments'
import type { MessageKey, Translate } from '../../platform/i18n/translator.ts'
import type { LeastAmount } from './least-amount.ts'
import { livingMandate, type MandateRow, type OpenSetup } from './mandate-store.ts'

/** Auto-payment of a wallet in its API form; reference api-billing-admin §5. */
export function presentMandate(
  facts: {
    readonly row: MandateRow | undefined
    /** The latest attempt that may still succeed. */
    readonly setup: OpenSetup | undefined
    /** The latest attempt failed. */
    readonly hasFailed: boolean
    readonly least: LeastAmount
    readonly currency: string
    readonly vat: VatTerms | undefined
  },
  t: Translate,
): Mandate {
  const { row, setup, hasFailed, least, currency, vat } = facts
  const living = livingMandate(row)
  const amounts = row ?? setup
  const isSettingUp = setup !== undefined && living?.status !== 'valid'
  return {
    ...(living === undefined ? presentSetup(setup) : presentLiving(living.providerId, row)),
    ...((living ?? setup) !== undefined && { isPending: living?.status === 'pending' || isSettingUp }),
    isValid: living?.status === 'valid',
    isDisabled: row?.disabledAt != null,
    ...noticed(noticeOf(row, hasFailed && living === undefined && setup === undefined), t),
    amount: (amounts?.amount ?? least.amount) / 100,
    minAmount: least.amount / 100,
    balance: (amounts?.threshold ?? 0) / 100,
    currency,
    ...(vat !== undefined && { vat }),
  }
}

type Shown = Pick<Mandate, 'id' | 'method' | 'methodId'>

function presentLiving(id: string, row: MandateRow | undefined): Shown {
  return {
    id,
    ...(row?.method != null && { method: row.method }),
    // rows only contain methods of the contract
    ...(row?.methodId != null && { methodId: row.methodId as PaymentMethodId }),
  }
}

/** A mandate in set-up has no description at the provider yet. */
function presentSetup(setup: OpenSetup | undefined): Shown {
  return setup === undefined ? {} : { id: setup.paymentId, methodId: setup.methodId as PaymentMethodId }
}

function noticed(key: MessageKey | undefined, t: Translate): Pick<Mandate, 'notice'> {
  return key === undefined ? {} : { notice: t(key) }
}

/** Notice for the owner; undefined for none. */
function noticeOf(row: MandateRow | undefined, isSetupFailed: boolean): MessageKey | undefined {
  if (row?.disabledReason == null) return isSetupFailed ? 'mandate.notice-setup-failed' : undefined
  const { status, disabledReason: reason } = row
  if (status === 'invalid' || reason === 'invalid' || reason === 'revoked') return 'mandate.notice-gone'
  return reason === 'staff' ? 'mandate.notice-staff' : 'mandate.notice-disabled'
}
