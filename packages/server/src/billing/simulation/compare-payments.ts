import { sql } from 'kysely'
import { day } from '../../platform/clock.ts'
import type { Account, World } from './world.ts'

/** Days within which the portal has checked every payment on its own, if all its webhooks were lost. */
const longestUnseen = 7

interface WalletRow {
  readonly walletId: string
  readonly booked: number
  readonly mandate: string | null
  readonly stopped: string | null
}

/**
 * Compares every wallet's payments with the bank: each order credited once, each of its reversals booked once,
 * and nothing else. After a reconciliation the portal knows everything older than its longest check interval;
 * at the end it knows everything. Unused mandates must not remain at the bank.
 */
export async function comparePayments(world: World, isEnd: boolean): Promise<void> {
  await compareWallets(world)
  await compareOrders(world)
  for (const account of world.accounts) findUnseen(world, account, isEnd)
  const used = new Set(world.accounts.map(({ payments }) => payments.mandate?.id))
  for (const [id, { walletId, isRevoked }] of isEnd ? world.desk.bank.mandates : []) {
    if (!isRevoked && !used.has(id)) world.wrong(`mandate ${id} of ${walletId} is left at the bank`)
  }
  const { rows } = await sql<{ text: string }>`select kind || ' ' || coalesce(payment_id, provider_id) as text
    from payment_alarms limit 5`.execute(world.quiet)
  for (const { text } of rows) world.wrong(`an operator is called for nothing: ${text}`)
}

async function compareWallets(world: World): Promise<void> {
  const { rows } = await sql<WalletRow>`select w.id as wallet_id, coalesce(e.booked, 0)::bigint as booked,
      m.provider_id as mandate, m.disabled_reason as stopped
    from wallets w left join wallet_mandates m on m.wallet_id = w.id
      left join (select wallet_id, sum(amount) as booked from ledger_entries where key like 'payment:%' group by 1) e
        on e.wallet_id = w.id`.execute(world.quiet)
  const found = new Map(rows.map((row) => [row.walletId, row]))
  for (const { walletId, payments } of world.accounts) {
    const { booked, mandate, stopped } = found.get(walletId) ?? {}
    const say = (...facts: readonly unknown[]) => facts.join(', ')
    const is = say(booked, mandate ?? '-', stopped === 'invalid' ? 'revoked' : (stopped ?? '-'))
    const should = say(payments.net, payments.mandate?.id ?? '-', payments.mandate?.stopped ?? '-')
    if (is !== should) world.wrong(`payments of ${walletId}: ${is} instead of ${should}`)
  }
}

/** Compares each order's status and net amount in the portal. */
async function compareOrders(world: World): Promise<void> {
  const { rows } = await sql<{ id: string; status: string; left: number }>`select p.id, p.status,
      (p.currency_amount + coalesce((select sum(r.currency_amount) from payments r where r.refund_of = p.id), 0))::bigint
        as left
    from payments p where p.refund_of is null`.execute(world.quiet)
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const { payments } of world.accounts) {
    for (const { bank, seen, booked } of payments.orders) {
      const gone = [...booked.values()].reduce((sum, { amount }) => sum + amount, 0)
      const [row, left] = [found.get(bank.paymentId), bank.amount - gone]
      if (row?.status !== seen || row.left !== left) {
        world.wrong(`payment ${bank.paymentId}: ${row?.status} ${row?.left} instead of ${seen} ${left}`)
      }
      found.delete(bank.paymentId)
    }
  }
  for (const { id, status } of found.values()) {
    // stored, but never sent to the bank
    if (status !== 'open' && status !== 'canceled') world.wrong(`payment ${id} is ${status} and nobody's`)
  }
}

function findUnseen(world: World, { payments }: Account, isEnd: boolean): void {
  for (const order of payments.orders) {
    if (!payments.isBehind(order)) continue
    const age = (world.now.getTime() - order.bank.changedAt.getTime()) / (day * 1000)
    if (isEnd || age > longestUnseen) {
      const { paymentId, status } = order.bank
      world.wrong(
        `payment ${paymentId} is ${status} at the bank for ${Math.round(age)} days, and nobody looked`,
      )
    }
  }
}
