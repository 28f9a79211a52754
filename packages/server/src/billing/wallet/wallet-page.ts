import type { WalletDetail } from '@gatehouse/contract/billing/wallets'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { type BillingFacts, readBillingFacts } from '../../subscriptions/billing-facts-store.ts'
import type { BillingConfig } from '../billing-settings.ts'
import { walletNotice } from './notice.ts'
import { dayOf, lastsUntil, type Outlook } from './outlook.ts'
import { readOutlook } from './read-outlook.ts'
import { canUpdateWallet } from './wallet-access.ts'
import type { WalletRecord } from './wallet-store.ts'

export interface WalletPageParts {
  readonly config: Pick<BillingConfig, 'paymentProvider'>
  readonly db: Db
  readonly clock: Clock
}

export type PresentedWallet = WalletDetail

/** A wallet's forecast. Throws NotFound if it no longer exists. */
export async function outlookOf(
  { db, clock }: Pick<WalletPageParts, 'db' | 'clock'>,
  wallet: WalletRecord,
): Promise<{ facts: BillingFacts; outlook: Outlook }> {
  const facts = await readBillingFacts(db, wallet.id)
  if (facts === undefined) throw new NotFound()
  return { facts, outlook: await readOutlook(db, clock.now(), wallet, facts) }
}

/** A wallet with the details for its own page; reference api-billing-admin §2. */
export async function presentWalletPage(
  parts: WalletPageParts,
  wallet: WalletRecord,
  principal: Principal,
  { t, language }: Pick<RequestFacts, 't' | 'language'>,
): Promise<WalletDetail> {
  const { facts, outlook } = await outlookOf(parts, wallet)
  // a free account lasts forever
  const until = facts.discount === 100 ? undefined : lastsUntil(outlook)
  const request = { now: parts.clock.now(), t, language }
  const notice = walletNotice(wallet.balance, facts, until, request)
  return {
    id: wallet.id,
    user_id: wallet.ownerId,
    currency: wallet.currency,
    balance: wallet.balance,
    description: wallet.description,
    discount_id: wallet.discountId,
    discount: wallet.discount,
    discount_description: wallet.discountDescription && localised(wallet.discountDescription, language),
    provider: parts.config.paymentProvider ?? '',
    notice: notice?.text ?? null,
    noticeKind: notice?.kind ?? null,
    lastsUntil: until === undefined ? null : dayOf(until),
    canUpdate: canUpdateWallet(principal, wallet.owned),
  }
}
