import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'
import { newUuid } from '../../../platform/ids.ts'

export interface PaymentAlarm {
  readonly provider: string
  readonly providerId: string
  readonly kind: Schema['paymentAlarms']['kind']
  readonly paymentId?: string
  /** What an operator needs for a decision; no secrets. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** Stores an alarm; returns false if it already exists. */
export async function insertAlarm(db: Db, alarm: PaymentAlarm, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('paymentAlarms')
    .values({
      id: newUuid(),
      provider: alarm.provider,
      providerId: alarm.providerId,
      kind: alarm.kind,
      paymentId: alarm.paymentId ?? null,
      facts: JSON.stringify(alarm.facts),
      createdAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function listAlarms(db: Db): Promise<Selectable<Schema['paymentAlarms']>[]> {
  return db.selectFrom('paymentAlarms').selectAll().orderBy('createdAt').orderBy('id').execute()
}

/** Number of open alarms. */
export async function countAlarms(db: Db): Promise<{ value: number }[]> {
  return (await sql<{ value: number }>`select count(*) as value from payment_alarms`.execute(db)).rows
}
