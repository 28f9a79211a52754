import { languages } from '@gatehouse/contract/language'
import { z } from 'zod'

const cents = z.number().int()

const taxed = { net: cents, vat: cents, gross: cents }

export const receiptLine = z.object({
  paymentId: z.string(),
  /** `YYYY-MM-DD`. */
  date: z.string(),
  kind: z.enum(['oneoff', 'recurring', 'mandate', 'refund', 'chargeback']),
  /** For a refund, the number of the receipt with the payment; null if there is none. */
  refersTo: z.string().nullable(),
  /** Basis points; null without VAT. */
  rate: z.number().int().nullable(),
  ...taxed,
})

export type ReceiptLine = z.infer<typeof receiptLine>

/** All content of a receipt or credit note, as of the date of issue. */
export const receiptFacts = z.object({
  number: z.string(),
  kind: z.enum(['receipt', 'credit-note']),
  period: z.string(),
  /** `YYYY-MM-DD`. */
  issuedOn: z.string(),
  currency: z.string(),
  service: z.string(),
  company: z.object({
    name: z.string(),
    address: z.array(z.string()),
    details: z.array(z.string()),
    email: z.string().nullable(),
  }),
  customer: z.object({
    number: z.number().int(),
    name: z.string(),
    address: z.array(z.string()),
    country: z.string().nullable(),
    /** The customer's language. */
    language: z.enum(languages).nullable(),
  }),
  lines: z.array(receiptLine),
  /** Sums by rate, lowest first; null (no VAT) comes first. */
  rates: z.array(z.object({ rate: z.number().int().nullable(), ...taxed })),
  total: z.object(taxed),
})

export type ReceiptFacts = z.infer<typeof receiptFacts>

/** Content of a document before it gets its number. */
export interface ReceiptDraft extends Omit<ReceiptFacts, 'rates' | 'total' | 'number'> {}

/** Sums up the lines. Each line is rounded individually, so that the printed lines add up to the totals. */
export function completeReceipt(draft: ReceiptDraft, number: string): ReceiptFacts {
  const rates = new Map<number | null, { net: number; vat: number; gross: number }>()
  for (const line of draft.lines) {
    const sum = rates.get(line.rate) ?? { net: 0, vat: 0, gross: 0 }
    rates.set(line.rate, {
      net: sum.net + line.net,
      vat: sum.vat + line.vat,
      gross: sum.gross + line.gross,
    })
  }
  const byRate = [...rates].sort(([a], [b]) => (a ?? -1) - (b ?? -1))
  return {
    ...draft,
    number,
    rates: byRate.map(([rate, sums]) => ({ rate, ...sums })),
    total: {
      net: draft.lines.reduce((sum, line) => sum + line.net, 0),
      vat: draft.lines.reduce((sum, line) => sum + line.vat, 0),
      gross: draft.lines.reduce((sum, line) => sum + line.gross, 0),
    },
  }
}
