import type { Language } from '@gatehouse/contract/language'
import { z } from 'zod'
import { receiptFacts } from '../../billing/receipts/receipt-facts.ts'
import { type ReceiptLook, receiptPdf } from '../../billing/receipts/receipt-pdf.ts'
import { type Member, only } from '../archive/archive-writer.ts'
import { receiptsStatement } from './records-store.ts'
import type { Snapshot } from './snapshot-store.ts'
import { type Subject, selection } from './write-records.ts'

const month = z.object({ period: z.string(), documents: z.array(receiptFacts) })

/** Yields the receipts and credit notes of an account, one PDF a month, as the portal offers them. */
export async function* receiptMembers(
  snapshot: Snapshot,
  subject: Subject,
  language: Language,
  look: ReceiptLook,
): AsyncGenerator<Member> {
  for await (const rows of snapshot.read(selection(receiptsStatement, subject))) {
    for (const row of rows) {
      const { period, documents } = month.parse(row)
      const pdf = await receiptPdf(documents, language, look)
      yield {
        ...{ path: `receipts/${period}.pdf`, what: `Receipts of ${period}`, isPacked: true },
        content: only(pdf),
      }
    }
  }
}
