import type { ConcernedWallet, PriceChange } from '@gatehouse/contract/billing/price-changes'
import type { AnnouncedPrice } from '@gatehouse/contract/billing/wallets'
import type { Language } from '@gatehouse/contract/language'
import { wireDate } from '../../platform/clock.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { WalletPriceChange } from './mail-store.ts'
import type { WalletLine } from './preview-store.ts'
import { dayOf } from './rules.ts'
import { isCancellable } from './schedule.ts'
import type { PriceChangeRow } from './store.ts'

/** A price change for staff who may see it. */
export function presentPriceChange(row: PriceChangeRow, language: Language, now: Date): PriceChange {
  const wire = (moment: Date | null) => moment && wireDate(moment)
  return {
    id: row.id,
    tenant: { id: row.tenant_id, title: row.tenant_title },
    sku: { id: row.sku_id, title: row.sku_title, name: localised(row.sku_name, language) },
    currency: row.currency,
    months: row.months,
    from: row.old_cost,
    to: row.cost,
    feeFrom: row.old_fee,
    feeTo: row.fee,
    individual: row.steps.filter((step) => step.from !== row.old_cost),
    newSubscriptions: row.new_subscriptions,
    date: dayOf(row.effective_at),
    noticeDays: row.notice_days,
    reason: row.reason,
    state: row.state,
    wallets: row.wallets,
    subscriptions: row.units,
    before: row.before,
    after: row.after,
    told: row.told,
    applied: row.applied,
    createdAt: wireDate(row.created_at),
    createdBy: row.creator_email,
    announcedAt: wire(row.announced_at),
    appliedAt: wire(row.applied_at),
    cancelledAt: wire(row.cancelled_at),
    cancelledBy: row.canceller_email,
    canCancel: isCancellable(row, now),
  }
}

export function presentWallet(line: WalletLine): ConcernedWallet {
  return {
    walletId: line.wallet_id,
    user: { id: line.user_id, email: line.email },
    subscriptions: line.units,
    before: line.before,
    after: line.after,
  }
}

/** An announced change for the customer. */
export function presentAnnounced(change: WalletPriceChange, language: Language): AnnouncedPrice {
  const { id, since, months, prices, before, after } = change
  return {
    ...{ id, months, before, after },
    name: localised(change.sku_name, language),
    date: dayOf(since),
    prices: [...prices],
    reason: localised(change.reason, language),
  }
}
