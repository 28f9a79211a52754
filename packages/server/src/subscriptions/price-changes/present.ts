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
    tenant: { id: row.tenantId, title: row.tenantTitle },
    sku: { id: row.skuId, title: row.skuTitle, name: localised(row.skuName, language) },
    currency: row.currency,
    months: row.months,
    from: row.oldCost,
    to: row.cost,
    feeFrom: row.oldFee,
    feeTo: row.fee,
    individual: row.steps.filter((step) => step.from !== row.oldCost),
    newSubscriptions: row.newSubscriptions,
    date: dayOf(row.effectiveAt),
    noticeDays: row.noticeDays,
    reason: row.reason,
    state: row.state,
    wallets: row.wallets,
    subscriptions: row.units,
    before: row.before,
    after: row.after,
    told: row.told,
    applied: row.applied,
    createdAt: wireDate(row.createdAt),
    createdBy: row.creatorEmail,
    announcedAt: wire(row.announcedAt),
    appliedAt: wire(row.appliedAt),
    cancelledAt: wire(row.cancelledAt),
    cancelledBy: row.cancellerEmail,
    canCancel: isCancellable(row, now),
  }
}

export function presentWallet(line: WalletLine): ConcernedWallet {
  return {
    walletId: line.walletId,
    user: { id: line.userId, email: line.email },
    subscriptions: line.units,
    before: line.before,
    after: line.after,
  }
}

/** An announced change as shown to the customer. */
export function presentAnnounced(change: WalletPriceChange, language: Language): AnnouncedPrice {
  const { id, since, months, prices, before, after } = change
  return {
    ...{ id, months, before, after },
    name: localised(change.skuName, language),
    date: dayOf(since),
    prices: [...prices],
    reason: localised(change.reason, language),
  }
}
