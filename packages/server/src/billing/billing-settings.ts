import { paymentMethods } from '@gatehouse/contract/billing/payments'
import { z } from 'zod'
import { count, list } from '../platform/settings/setting-kinds.ts'
import { paymentSettings } from './payments/payment-settings.ts'

const methods = list.pipe(z.array(z.enum(paymentMethods)))

/** Settings for payments, receipts and VAT. */
export const billingSettings = {
  PAYMENT_PROVIDER: z
    .enum(['sandbox', 'stripe', 'mollie'])
    .optional()
    .describe(
      'Payment provider. `sandbox` moves no money. If not set: `sandbox`, in production none, and payments are not offered',
    ),
  PAYMENT_METHODS_ONEOFF: methods
    .default(['creditcard', 'paypal', 'banktransfer', 'bitcoin'])
    .describe('Payment methods offered, in this order, if the provider supports them'),
  PAYMENT_METHODS_RECURRING: methods.default(['creditcard']).describe('The same for auto-payment'),
  PAYMENT_MAX_AMOUNT: count(1_000_000, 100, 99_999_999).describe('Maximum amount of one payment in cents'),
  EXCHANGE_RATE_DAYS: count(7, 1, 365).describe(
    'Maximum age of an exchange rate in days. Without a current rate, methods in other currencies are not offered',
  ),
  EXCHANGE_RATES: z
    .string()
    .optional()
    .describe(
      'File or `https://` address from which exchange rates are loaded every morning, in the format of `exchange:import`. If not set: rates are imported by hand',
    ),
  COMPANY_NAME: z.string().optional().describe('Issuer of receipts. If not set: `APP_NAME`'),
  COMPANY_ADDRESS: z.string().optional().describe('Postal address on receipts, lines separated by `|`'),
  COMPANY_DETAILS: z
    .string()
    .optional()
    .describe(
      'Details required by law on receipts, such as VAT and register numbers, lines separated by `|`',
    ),
  COMPANY_EMAIL: z.email().optional().describe('Address for questions about receipts'),
  VAT_MODE: z
    .enum(['0', '1'])
    .default('0')
    .describe('`0`: payments include VAT. `1`: VAT is added to payments'),
  PRICE_NOTICE_DAYS: count(30, 0, 365).describe(
    'Days between the notice of a price increase and the day it applies to existing subscriptions',
  ),
  CATALOGUE_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('SKUs, packages and plans loaded at the first start. If not set: the bundled file'),
  ...paymentSettings,
}

const parsedSettings = z.object(billingSettings)

export type BillingSettings = z.infer<typeof parsedSettings>

/** Billing settings with derived values. */
export type BillingConfig = BillingSettings & {
  /** Provider of new payments; undefined for none. */
  readonly paymentProvider: BillingSettings['PAYMENT_PROVIDER']
  /** A provider is available: for new customers, or for those who stay with one that still has a key. */
  readonly takesPayments: boolean
}
