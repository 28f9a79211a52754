import { hasBit, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { debtSteps } from '../life-cycle/steps.ts'
import type { ReferenceUnit } from './reference-account.ts'
import type { Account, World } from './world.ts'

interface AccountRow {
  readonly walletId: string
  readonly balance: number
  readonly status: number
  readonly negativeSince: Date | null
  readonly degradedReminderAt: Date | null
  readonly taken: readonly (Date | null)[]
  readonly alerts: readonly string[]
}

/**
 * Compares every account with its reference: balance, debt steps, state, alerts, and the tenants' profits.
 */
export async function compareAccounts(world: World): Promise<void> {
  const { rows } = await sql<AccountRow>`select w.id as wallet_id, w.balance, u.status, d.negative_since,
      d.degraded_reminder_at, array[d.initial_at, d.reminder_at, d.warning_at, d.degrade_at] as taken,
      array(select a.threshold || case when a.alerted_at is null then '' else ' told' end from wallet_alerts a
        where a.wallet_id = w.id order by a.threshold) as alerts
    from wallets w join users u on u.id = w.user_id left join wallet_debts d on d.wallet_id = w.id`.execute(
    world.quiet,
  )
  const found = new Map(rows.map((row) => [row.walletId, row]))
  for (const account of world.accounts) {
    const [is, should] = [sayRow(found.get(account.walletId)), sayReference(account)]
    if (is !== should) world.wrong(`wallet ${account.walletId}: ${is} instead of ${should}`)
  }
  for (const tenant of world.tenants) {
    if (tenant.walletId === null) continue
    const own = world.accounts.filter((account) => account.tenant === tenant)
    const profit = own.reduce((sum, { reference }) => sum + reference.profit, 0)
    const balance = found.get(tenant.walletId)?.balance
    if (balance !== profit) world.wrong(`profits of tenant ${tenant.id}: ${balance} instead of ${profit}`)
  }
}

const say = (moment: Date | null | undefined) => moment?.toISOString() ?? '-'

function sayRow(row: AccountRow | undefined): string {
  if (row === undefined) return 'nothing'
  const has = (bit: number) => hasBit(row.status, bit)
  const state = sayState({
    isDegraded: has(userStatus.degraded),
    isLocked: !has(userStatus.active),
    isRestricted: has(userStatus.restricted),
  })
  const debt = [row.negativeSince, ...row.taken, row.degradedReminderAt].map(say)
  return [row.balance, state, ...debt, ...row.alerts].join(', ')
}

function sayState({
  isDegraded,
  isLocked,
  isRestricted,
}: Pick<Account['reference'], 'isDegraded' | 'isLocked' | 'isRestricted'>): string {
  return `${isDegraded ? 'degraded' : 'whole'}${isLocked ? ' locked' : ''}${isRestricted ? ' restricted' : ''}`
}

function sayReference({ reference }: Account): string {
  const { negativeSince, taken, remindedAt, balance } = reference
  const state = sayState(reference)
  const debt = [negativeSince, ...debtSteps.map(({ name }) => taken[name]), remindedAt].map(say)
  const alerts = reference.alerts
    .toSorted((one, other) => one.threshold - other.threshold)
    .map(({ threshold, isTold }) => `${threshold}${isTold ? ' told' : ''}`)
  return [balance, state, ...debt, ...alerts].join(', ')
}

interface UnitRow {
  readonly id: string
  readonly billedUntil: Date
  readonly charged: number
}

/**
 * Compares every unit with its reference: charged until when, and total charges. During a trial the database
 * may process a unit later than the reference, which costs nothing; but not at the end.
 */
export async function compareUnits(world: World, isEnd: boolean): Promise<void> {
  for (const tenant of world.tenants) {
    const accounts = world.accounts.filter((account) => account.tenant === tenant)
    const { rows } = await sql<UnitRow>`select e.id, e.billed_until, coalesce(p.cost, 0)::bigint as charged
      from entitlements e
        left join (select entitlement_id, sum(cost) as cost from billed_periods group by 1) p on p.entitlement_id = e.id
      where e.wallet_id = any(${accounts.map(({ walletId }) => walletId)}::uuid[])`.execute(world.quiet)
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const { reference, walletId } of accounts) {
      for (const unit of reference.units) {
        const row = found.get(unit.id)
        if (row === undefined || !isAlike(row, unit, isEnd)) {
          world.wrong(
            `unit ${unit.id} of ${walletId}: ${row?.charged} until ${say(row?.billedUntil)} instead of ${
              unit.charged
            } until ${say(unit.billedUntil)}`,
          )
        }
        found.delete(unit.id)
      }
    }
    for (const id of found.keys()) world.wrong(`unit ${id} should not be`)
  }
}

function isAlike(row: UnitRow, unit: ReferenceUnit, isEnd: boolean): boolean {
  if (row.charged !== unit.charged) return false
  if (row.billedUntil.getTime() === unit.billedUntil.getTime()) return true
  return !isEnd && unit.billedUntil.getTime() === unit.trialEnd?.getTime() && row.billedUntil < unit.trialEnd
}
