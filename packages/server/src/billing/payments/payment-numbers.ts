import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { after, minute } from '../../platform/clock.ts'
import type { PaymentParts } from './payment-parts.ts'

/** Seconds by which a look at a payment may be late before it is worth a number. */
const late = 15 * minute

/** Numbers of payments for those who watch over an installation. */
export function measurePayments(registry: Registry, { db, clock }: Pick<PaymentParts, 'db' | 'clock'>): void {
  new Gauge({
    name: 'gatehouse_payments',
    help: 'Payments, by how they stand',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const { rows } = await sql<{ status: string; payments: number }>`
        select status, count(*) as payments from payments where refund_of is null group by status`.execute(db)
      this.reset()
      for (const { status, payments } of rows) this.set({ status }, payments)
    },
  })
  new Gauge({
    name: 'gatehouse_payments_overdue',
    help: 'Payments whose provider should have been asked a quarter of an hour ago',
    registers: [registry],
    async collect() {
      const { rows } = await sql<{ overdue: number }>`select count(*) as overdue from payments
        where next_look_at < ${after(clock.now(), -late)}::timestamptz`.execute(db)
      this.set(rows[0]?.overdue ?? 0)
    },
  })
  new Gauge({
    name: 'gatehouse_payment_alarms',
    help: 'What an operator has to look at (payment:alarms)',
    registers: [registry],
    async collect() {
      const { rows } = await sql<{ alarms: number }>`select count(*) as alarms from payment_alarms`.execute(
        db,
      )
      this.set(rows[0]?.alarms ?? 0)
    },
  })
}
