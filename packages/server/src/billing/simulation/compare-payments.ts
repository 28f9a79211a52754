import { sql } from 'kysely'
import { day } from '../../platform/clock.ts'
import type { Account, World } from './world.ts'

/** Days after which the portal has looked at every payment by itself, where it was told of nothing. */
const longestUnseen = 7

interface WalletRow {
  readonly walletId: string
  readonly booked: number
  readonly mandate: string | null
  readonly stopped: string | null
}

/**
 * Holds what payments brought each wallet against what the bank says: the credit of each order once, what went back of
 * it once, and nothing else. After a reconciliation the portal knows whatever is older than its longest wait; at the end
 * it knows everything. No mandate is left at the bank that nobody uses.
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

/** Each order as the portal has it: how it stands, and what is left of it. */
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
    // written down, and the bank was never asked
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
