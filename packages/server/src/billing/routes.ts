import type { Clock } from '../platform/clock.ts'
import { wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api } from '../platform/http/api.ts'
import { NotFound } from '../platform/http/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { comingChanges } from '../subscriptions/price-changes/mail-store.ts'
import { presentAnnounced } from '../subscriptions/price-changes/present.ts'
import { actorOf } from '../users/actor.ts'
import { canRead } from '../users/policy.ts'
import type { BillingConfig } from './billing-settings.ts'
import { readAlertStates } from './life-cycle/alert-store.ts'
import { listCosts } from './wallet/costs.ts'
import { chainLines, transactionsCsv } from './wallet/export.ts'
import { dayOf, forecastMonths, lastsUntil, nextCharge, owed } from './wallet/outlook.ts'
import { listDetails, listTransactions } from './wallet/transactions.ts'
import { canUpdateWallet, requireWallet } from './wallet/wallet-access.ts'
import { outlookOf, presentWalletPage } from './wallet/wallet-page.ts'
import { changeSettings, readSettings } from './wallet/wallet-settings.ts'

export interface WalletParts {
  readonly config: Pick<BillingConfig, 'paymentProvider'>
  readonly db: Db
  readonly clock: Clock
}

/** Wallets in the API; reference api-billing-admin §2 and §3. */
export function serveWallets(api: Api, parts: WalletParts): void {
  const { db, clock } = parts

  api.serve('GET /api/v4/wallets/{id}', async ({ principal, params, ...request }) =>
    presentWalletPage(parts, await requireWallet(db, principal, params.id), principal, request),
  )

  api.serve(
    'GET /api/v4/wallets/{id}/transactions',
    async ({ principal, params, query, variant, ...request }) => {
      const wallet = await requireWallet(db, principal, params.id)
      const reader = { t: request.t, language: request.language, isStaff: variant !== 'user' }
      if (query.transaction == null) return listTransactions(db, wallet.id, query, reader)
      const details = isUuid(query.transaction)
        ? await listDetails(db, wallet.id, query.transaction, reader)
        : undefined
      if (details === undefined) throw new NotFound()
      return details
    },
  )

  api.serveDownload('GET /api/v4/wallets/{id}/transactions/csv', async ({ principal, params, query, t }) => {
    const wallet = await requireWallet(db, principal, params.id)
    return { filename: 'transactions.csv', parts: transactionsCsv(db, wallet.id, query, t) }
  })

  api.serveDownload('GET /api/v4/wallets/{id}/chain', async ({ principal, params }) => {
    const wallet = await requireWallet(db, principal, params.id)
    return { filename: 'chain.jsonl', parts: chainLines(db, wallet.id) }
  })

  api.serve('GET /api/v4/wallets/{id}/costs', async ({ principal, params, query, language }) => {
    const { id, currency, ...wallet } = await requireWallet(db, principal, params.id)
    const discount = wallet.discount ?? 0
    return { ...(await listCosts(db, { id, discount }, query, language)), currency, discount }
  })

  api.serve('GET /api/v4/wallets/{id}/forecast', async ({ principal, params, language }) => {
    const wallet = await requireWallet(db, principal, params.id)
    const { outlook } = await outlookOf(parts, wallet)
    const next = nextCharge(outlook)
    const until = lastsUntil(outlook)
    const changes = await comingChanges(db, wallet.id, clock.now())
    return {
      currency: wallet.currency,
      balance: outlook.balance,
      pending: outlook.pending,
      owed: owed(outlook),
      next: next === undefined ? null : { date: dayOf(next.at), amount: next.cost },
      lastsUntil: until === undefined ? null : dayOf(until),
      months: forecastMonths(outlook).map((month) => ({ ...month, until: dayOf(month.until) })),
      priceChanges: changes.map((change) => presentAnnounced(change, language)),
    }
  })

  api.serve('GET /api/v4/wallets/{id}/settings', async ({ principal, params }) => {
    const wallet = await requireWallet(db, principal, params.id, canRead)
    const states = await readAlertStates(db, wallet.id)
    return {
      ...(await readSettings(db, wallet.id)),
      alertStates: states.map(({ threshold, alertedAt, resolvedAt }) => ({
        threshold,
        alertedAt: wireDate(alertedAt),
        resolvedAt: resolvedAt && wireDate(resolvedAt),
      })),
    }
  })

  api.serveLate('PUT /api/v4/wallets/{id}/settings', async ({ principal, params, read, t, ip }) => {
    const wallet = await requireWallet(db, principal, params.id, canUpdateWallet)
    await changeSettings(parts, wallet, read(), actorOf(principal, { ip }))
    return { status: 'success', message: t('wallet.settings-success') }
  })
}
