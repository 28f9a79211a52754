import { after, minute } from '../../platform/clock.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { PaymentParts } from './payment-parts.ts'
import { countByStatus, countOverdue } from './payment-store.ts'
import { countAlarms } from './settlement/alarm-store.ts'

/** Seconds by which a payment check may be late before it appears in the metrics. */
const late = 15 * minute

/** Payment metrics for monitoring. */
export function measurePayments(metrics: Metrics, { db, clock }: Pick<PaymentParts, 'db' | 'clock'>): void {
  metrics.databaseGauge(
    { name: 'gatehouse_payments', help: 'Payments by status', labelNames: ['status'] },
    async () => {
      const rows = await countByStatus(db)
      return rows.map(({ status, payments }) => ({ labels: { status }, value: payments }))
    },
  )
  metrics.databaseGauge(
    {
      name: 'gatehouse_payments_overdue',
      help: 'Payments whose status check is overdue by 15 minutes or more',
    },
    () => countOverdue(db, after(clock.now(), -late)),
  )
  metrics.databaseGauge(
    { name: 'gatehouse_payment_alarms', help: 'Open payment alarms (payment:alarms)' },
    () => countAlarms(db),
  )
}
