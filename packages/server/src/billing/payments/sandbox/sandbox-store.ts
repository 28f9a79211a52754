import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'

export type SandboxPayment = Selectable<Schema['sandboxPayments']>
export type SandboxMandate = Selectable<Schema['sandboxMandates']>

/** Inserts a payment, or returns the existing one of the same order. */
export async function insertOnce(
  trx: Db,
  payment: Insertable<Schema['sandboxPayments']>,
): Promise<{ payment: SandboxPayment; isNew: boolean }> {
  const made = await trx
    .insertInto('sandboxPayments')
    .values(payment)
    .onConflict((conflict) => conflict.column('paymentId').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made !== undefined) return { payment: made, isNew: true }
  const first = await trx
    .selectFrom('sandboxPayments')
    .selectAll()
    .where('paymentId', '=', payment.paymentId)
    .executeTakeFirstOrThrow()
  return { payment: first, isNew: false }
}

export async function findPayment(
  db: Db,
  by: { readonly id: string } | { readonly paymentId: string } | { readonly tokenHash: Buffer },
): Promise<SandboxPayment | undefined> {
  return db
    .selectFrom('sandboxPayments')
    .selectAll()
    .where((eb) => eb.and(by))
    .executeTakeFirst()
}

/** Reads and locks a payment until the end of the transaction. */
export async function holdPayment(trx: Db, id: string): Promise<SandboxPayment | undefined> {
  return trx.selectFrom('sandboxPayments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updatePayment(
  trx: Db,
  id: string,
  facts: Updateable<Schema['sandboxPayments']>,
): Promise<void> {
  await trx.updateTable('sandboxPayments').set(facts).where('id', '=', id).execute()
}

export async function readReversals(
  db: Db,
  paymentId: string,
): Promise<Selectable<Schema['sandboxReversals']>[]> {
  return db
    .selectFrom('sandboxReversals')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function insertReversal(
  trx: Db,
  reversal: Insertable<Schema['sandboxReversals']>,
): Promise<void> {
  await trx
    .insertInto('sandboxReversals')
    .values(reversal)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteReversal(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('sandboxReversals').where('id', '=', id).execute()
}

export async function insertMandate(trx: Db, mandate: Insertable<Schema['sandboxMandates']>): Promise<void> {
  await trx.insertInto('sandboxMandates').values(mandate).execute()
}

export async function findMandate(db: Db, id: string): Promise<SandboxMandate | undefined> {
  return db.selectFrom('sandboxMandates').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function revokeMandate(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('sandboxMandates')
    .set({ revokedAt: at })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .execute()
}
