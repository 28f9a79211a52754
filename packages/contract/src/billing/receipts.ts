import { z } from 'zod'
import { pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'

const cents = z.number().int()

/** A receipt for payments, or a credit note for refunds. */
export const receiptDocument = z.object({
  number: z.string(),
  kind: z.enum(['receipt', 'credit-note']),
  /** Includes VAT; negative on a credit note. */
  amount: cents,
})

/** The documents of one month. */
export const receiptMonth = z.object({
  /** `YYYY-MM`. */
  period: z.string(),
  /** Sum of the documents. */
  amount: cents,
  currency: z.string(),
  documents: z.array(receiptDocument),
})

export type ReceiptMonth = z.infer<typeof receiptMonth>

export const receiptRoutes = defineRoutes({
  'GET /api/v4/wallets/{id}/receipts': {
    summary: 'List months with receipts or credit notes, newest first, excluding the current month',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: z.object({ id: z.string() }),
    query: pageQuery,
    ok: z
      .object({ status: z.literal('success'), page: z.number().int() })
      .extend(pagedList(receiptMonth).shape),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/wallets/{id}/receipts/{period}': {
    summary: 'Download the documents of a month as PDF, in the language of the request',
    tag: 'Wallets',
    auth: 'token',
    openTo: borrowedCallers,
    whenSuspended: 'allowed',
    params: z.object({ id: z.string(), period: z.string() }),
    download: 'application/pdf',
    ok: z.string(),
    errors: [401, 403, 404],
  },
})
