import { paymentMethods } from '@gatehouse/contract/billing/payments'
import { z } from 'zod'
import { count, list } from '../platform/settings/setting-kinds.ts'
import { paymentSettings } from './payments/payment-settings.ts'

const methods = list.pipe(z.array(z.enum(paymentMethods)))

/** Settings of payments, receipts and VAT. */
export const billingSettings = {
  PAYMENT_PROVIDER: z
    .enum(['sandbox', 'stripe', 'mollie'])
    .optional()
    .describe(
      'Who takes payments; `sandbox` moves no money; absent: `sandbox`, in production nobody, and payments are not offered',
    ),
  PAYMENT_METHODS_ONEOFF: methods
    .default(['creditcard', 'paypal', 'banktransfer', 'bitcoin'])
    .describe('Methods of payment on offer, in their order, as far as the provider has them'),
  PAYMENT_METHODS_RECURRING: methods.default(['creditcard']).describe('The same for automatic payments'),
  PAYMENT_MAX_AMOUNT: count(1_000_000, 100, 99_999_999).describe('Most that one payment brings, cents'),
  EXCHANGE_RATE_DAYS: count(7, 1, 365).describe(
    'Days that an exchange rate may be old; without one, methods in other currencies are not offered',
  ),
  EXCHANGE_RATES: z
    .string()
    .optional()
    .describe(
      'File or `https://` address from which exchange rates are renewed every morning, in the form of `exchange:import`; absent: they are imported by hand',
    ),
  COMPANY_NAME: z.string().optional().describe('Who issues receipts; absent: `APP_NAME`'),
  COMPANY_ADDRESS: z.string().optional().describe('Postal address on receipts; `|` between its lines'),
  COMPANY_DETAILS: z
    .string()
    .optional()
    .describe('What the law wants on receipts, as VAT number and register; `|` between lines'),
  COMPANY_EMAIL: z.email().optional().describe('Address for questions about receipts'),
  VAT_MODE: z
    .enum(['0', '1'])
    .default('0')
    .describe('`0`: amounts that people pay contain VAT; `1`: it comes on top of them'),
  PRICE_NOTICE_DAYS: count(30, 0, 365).describe(
    'Days between the mail about a higher price and the day from which existing subscriptions pay it',
  ),
  CATALOGUE_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('SKUs, packages and plans of the first start; absent: the file that comes with the product'),
  ...paymentSettings,
}

const parsedSettings = z.object(billingSettings)

export type BillingSettings = z.infer<typeof parsedSettings>

/** The settings of billing, with what follows from them. */
export type BillingConfig = BillingSettings & {
  /** Who takes payments; undefined: nobody does. */
  readonly paymentProvider: BillingSettings['PAYMENT_PROVIDER']
  /** Somebody takes payments: of new customers, or of those who stayed with a provider that has a key. */
  readonly takesPayments: boolean
}
