import type { Selectable } from 'kysely'
import { wireDate } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { PaymentAlarmTable } from '../../../platform/db/schema-billing.ts'
import { newUuid } from '../../../platform/ids.ts'
import type { PaymentParts } from '../payment-parts.ts'

export interface PaymentAlarm {
  readonly provider: string
  readonly providerId: string
  readonly kind: PaymentAlarmTable['kind']
  readonly paymentId?: string
  /** What an operator needs to decide; nothing secret. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** Keeps what no rule can book for an operator, once, and says so in the log. */
export async function raiseAlarm(
  db: Db,
  { clock, log }: Pick<PaymentParts, 'clock' | 'log'>,
  alarm: PaymentAlarm,
): Promise<void> {
  const { provider, providerId, kind, facts } = alarm
  const row = await db
    .insertInto('payment_alarms')
    .values({
      id: newUuid(),
      provider,
      provider_id: providerId,
      kind,
      payment_id: alarm.paymentId ?? null,
      facts: JSON.stringify(facts),
      created_at: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row !== undefined) log.error({ provider, providerId, kind, facts }, 'a payment needs an operator')
}

export async function listAlarms(db: Db): Promise<Selectable<PaymentAlarmTable>[]> {
  return db.selectFrom('payment_alarms').selectAll().orderBy('created_at').orderBy('id').execute()
}

/** An alarm in a line. */
export function alarmText(alarm: Selectable<PaymentAlarmTable>): string {
  const about = alarm.payment_id === null ? '' : `  payment ${alarm.payment_id}`
  const facts = JSON.stringify(alarm.facts)
  return `${wireDate(alarm.created_at)}  ${alarm.kind}  ${alarm.provider} ${alarm.provider_id}${about}  ${facts}`
}
