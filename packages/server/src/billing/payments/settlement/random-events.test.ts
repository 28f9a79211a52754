import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newUuid } from '../../../platform/ids.ts'
import { balanceOf } from '../../../testing/payments/billing.ts'
import { makePayer, sandboxOf, settleNow } from '../../../testing/payments/sandbox.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { PaymentRefused } from '../providers/provider-errors.ts'

const app = useTestApp()

/** Events at the provider, or in transit to us. */
const event = fc.oneof(
  fc.record({
    kind: fc.constant('becomes' as const),
    status: fc.constantFrom('paid', 'failed', 'expired', 'pending', 'canceled'),
  }),
  fc.record({
    kind: fc.constantFrom('refund' as const, 'chargeback' as const),
    amount: fc.integer({ min: 1, max: 700 }),
  }),
  fc.record({ kind: fc.constant('taken back' as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant('looks' as const), times: fc.integer({ min: 1, max: 3 }) }),
)

test("a wallet's balance equals payments less reversals, for any events in any order", async () => {
  const payer = await makePayer(app())
  const sandbox = sandboxOf(app())
  // no webhooks: checks happen only as part of the sequence
  sandbox.mailman = async () => {}
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 14 }), async (events) => {
      app().clock.advance(24 * 3600)
      const before = await balanceOf(app(), payer.walletId)
      const { id, providerId } = await payer.pay('10.00')
      const listed = new Map<string, number>()
      // what the portal has seen: once received, a payment stays received
      let seenPaid = false
      let isPaid = false
      const look = async (times: number) => {
        seenPaid ||= isPaid
        await Promise.all(Array.from({ length: times }, () => settleNow(app(), id)))
      }
      for (const happened of events) {
        if (happened.kind === 'looks') await look(happened.times)
        else if (happened.kind === 'becomes') {
          // a paid payment can only be undone by a reversal
          if (isPaid) continue
          await sandbox.force(providerId, happened.status)
          isPaid = happened.status === 'paid'
        } else if (happened.kind === 'taken back') {
          const [reversal] = [...listed.keys()].slice(happened.which % Math.max(1, listed.size))
          if (reversal === undefined) continue
          await sandbox.undoReversal(providerId, reversal)
          listed.delete(reversal)
        } else {
          const key = newUuid()
          try {
            if (happened.kind === 'refund') await sandbox.refund(providerId, happened.amount, key)
            else await sandbox.chargeBack(providerId, happened.amount, key)
            listed.set(`${happened.kind === 'refund' ? 're' : 'chb'}_${key}`, happened.amount)
          } catch (error) {
            if (!(error instanceof PaymentRefused)) throw error
          }
        }
      }
      await look(2)
      const back = [...listed.values()].reduce((sum, amount) => sum + amount, 0)
      expect((await balanceOf(app(), payer.walletId)) - before).toBe(seenPaid ? 1000 - back : 0)
    }),
    { numRuns: 30 },
  )
  expect(await verifyLedger(app().database.db)).toEqual([])
}, 120_000)
