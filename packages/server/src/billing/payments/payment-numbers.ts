import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { after, minute } from '../../platform/clock.ts'
import { databaseGauge } from '../../platform/metrics.ts'
import type { PaymentParts } from './payment-parts.ts'

/** Seconds by which a look at a payment may be late before it is worth a number. */
const late = 15 * minute

/** Numbers of payments for those who watch over an installation. */
export function measurePayments(registry: Registry, { db, clock }: Pick<PaymentParts, 'db' | 'clock'>): void {
  databaseGauge(
    registry,
    { name: 'gatehouse_payments', help: 'Payments by status', labelNames: ['status'] },
    async () => {
      const { rows } = await sql<{ status: string; payments: number }>`
        select status, count(*) as payments from payments where refund_of is null group by status`.execute(db)
      return rows.map(({ status, payments }) => ({ labels: { status }, value: payments }))
    },
  )
  databaseGauge(
    registry,
    {
      name: 'gatehouse_payments_overdue',
      help: 'Payments whose provider should have been asked a quarter of an hour ago',
    },
    async () => {
      const { rows } = await sql<{ value: number }>`select count(*) as value from payments
        where next_look_at < ${after(clock.now(), -late)}::timestamptz`.execute(db)
      return rows
    },
  )
  databaseGauge(
    registry,
    { name: 'gatehouse_payment_alarms', help: 'Alarms that wait for an operator (payment:alarms)' },
    async () => (await sql<{ value: number }>`select count(*) as value from payment_alarms`.execute(db)).rows,
  )
}
