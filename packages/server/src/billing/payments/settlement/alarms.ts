import type { Selectable } from 'kysely'
import { wireDate } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'
import type { PaymentParts } from '../payment-parts.ts'
import { insertAlarm, type PaymentAlarm } from './alarm-store.ts'

/** Stores and logs what can't be booked automatically, once, for an operator. */
export async function raiseAlarm(
  db: Db,
  { clock, log }: Pick<PaymentParts, 'clock' | 'log'>,
  alarm: PaymentAlarm,
): Promise<void> {
  const { provider, providerId, kind, facts } = alarm
  if (await insertAlarm(db, alarm, clock.now()))
    log.error({ provider, providerId, kind, facts }, 'payment needs attention by an operator')
}

/** Formats an alarm in one line. */
export function alarmText(alarm: Selectable<Schema['paymentAlarms']>): string {
  const about = alarm.paymentId === null ? '' : `  payment ${alarm.paymentId}`
  const facts = JSON.stringify(alarm.facts)
  return `${wireDate(alarm.createdAt)}  ${alarm.kind}  ${alarm.provider} ${alarm.providerId}${about}  ${facts}`
}
