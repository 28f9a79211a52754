import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type {
  SandboxMandateTable,
  SandboxPaymentTable,
  SandboxReversalTable,
} from '../../../platform/db/schema-billing.ts'

export type SandboxPayment = Selectable<SandboxPaymentTable>
export type SandboxMandate = Selectable<SandboxMandateTable>

/** Writes a payment down; one of the same order stays, and is given. */
export async function insertOnce(
  trx: Db,
  payment: Insertable<SandboxPaymentTable>,
): Promise<{ payment: SandboxPayment; isNew: boolean }> {
  const made = await trx
    .insertInto('sandbox_payments')
    .values(payment)
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made !== undefined) return { payment: made, isNew: true }
  const first = await trx
    .selectFrom('sandbox_payments')
    .selectAll()
    .where('payment_id', '=', payment.payment_id)
    .executeTakeFirstOrThrow()
  return { payment: first, isNew: false }
}

export async function findPayment(
  db: Db,
  by: { readonly id: string } | { readonly payment_id: string } | { readonly token_hash: Buffer },
): Promise<SandboxPayment | undefined> {
  return db
    .selectFrom('sandbox_payments')
    .selectAll()
    .where((eb) => eb.and(by))
    .executeTakeFirst()
}

/** A payment that nobody else changes until the transaction ends. */
export async function holdPayment(trx: Db, id: string): Promise<SandboxPayment | undefined> {
  return trx.selectFrom('sandbox_payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updatePayment(
  trx: Db,
  id: string,
  facts: Updateable<SandboxPaymentTable>,
): Promise<void> {
  await trx.updateTable('sandbox_payments').set(facts).where('id', '=', id).execute()
}

export async function readReversals(db: Db, paymentId: string): Promise<Selectable<SandboxReversalTable>[]> {
  return db
    .selectFrom('sandbox_reversals')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertReversal(trx: Db, reversal: Insertable<SandboxReversalTable>): Promise<void> {
  await trx
    .insertInto('sandbox_reversals')
    .values(reversal)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteReversal(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('sandbox_reversals').where('id', '=', id).execute()
}

export async function insertMandate(trx: Db, mandate: Insertable<SandboxMandateTable>): Promise<void> {
  await trx.insertInto('sandbox_mandates').values(mandate).execute()
}

export async function findMandate(db: Db, id: string): Promise<SandboxMandate | undefined> {
  return db.selectFrom('sandbox_mandates').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function revokeMandate(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('sandbox_mandates')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}
