import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { PaymentTable } from '../../platform/db/schema-billing.ts'

/** A payment as it is written down first; the rest is how it goes on. */
export type NewPayment = Omit<Insertable<PaymentTable>, 'receipt_id' | 'updated_at' | 'currency_amount'>

/** Writes a payment down, in the wallet's own currency. What it does to the wallet is booked beside it. */
export async function insertPayment(db: Db, payment: NewPayment): Promise<void> {
  await db
    .insertInto('payments')
    .values({
      ...payment,
      currency_amount: payment.amount,
      receipt_id: null,
      updated_at: payment.paid_at ?? payment.created_at,
    })
    .execute()
}
