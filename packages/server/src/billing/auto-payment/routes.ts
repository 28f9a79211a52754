import type { Mandate, PaymentMethodId } from '@gatehouse/contract/billing/payments'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { actorOf } from '../../users/actor.ts'
import { askProvider, prepareOnce, vatOfWallet } from '../payments/begin-payment.ts'
import type { PaymentMethods } from '../payments/methods.ts'
import type { PaymentProvider } from '../payments/providers/provider.ts'
import { paymentsOf, portalUrl } from '../payments/routes.ts'
import { requirePayingWallet } from '../wallet/wallet-access.ts'
import { leastAmountOf } from './account-facts.ts'
import { requestRefresh } from './auto-payment-jobs.ts'
import { changeOwnMandate, removeOwnMandate } from './change-mandate.ts'
import { readAmounts } from './mandate-input.ts'
import {
  type Amounts,
  begunSetup,
  hasSetupFailed,
  livingMandate,
  type PayingAccount,
  readMandate,
  readPayingAccount,
} from './mandate-store.ts'
import type { AutoPaymentParts } from './parts.ts'
import { presentMandate } from './present.ts'
import { isStale } from './refresh-mandate.ts'
import { beginAgain, prepareSetup } from './set-up.ts'

export interface AutoPaymentRouteParts {
  readonly payments: AutoPaymentParts
  readonly methods: PaymentMethods
  readonly throttle: Throttle
}

/** Auto-payment of the caller's own wallet; reference api-billing-admin §5. */
export function serveAutoPayment(api: Api, { payments, methods, throttle }: AutoPaymentRouteParts): void {
  const { db, clock, jobs, providers, config } = payments

  const ownWalletId = async (principal: Principal): Promise<string> =>
    (await requirePayingWallet(db, principal)).id

  const readInput = async (
    account: PayingAccount,
    input: { amount: number | string; balance: number | string },
    language: Parameters<typeof readAmounts>[1]['language'],
  ): Promise<Amounts> =>
    readAmounts(input, {
      least: await leastAmountOf(db, account),
      most: config.PAYMENT_MAX_AMOUNT,
      currency: account.currency,
      language,
    })

  const requireMethod = async (
    provider: PaymentProvider,
    account: PayingAccount,
    wanted: PaymentMethodId | null | undefined,
  ): Promise<PaymentMethodId> => {
    const offered = await methods.onOffer(provider, 'recurring', account.currency)
    const found = offered.find(({ id }) => id === (wanted ?? 'creditcard'))
    if (found === undefined) throw ValidationError.at('methodId', 'payment.method-refused')
    return found.id
  }

  api.serve('GET /api/v4/payments/mandate', async ({ principal, t }) => {
    const walletId = await ownWalletId(principal)
    const living = livingMandate(await readMandate(db, walletId))
    // page loads never wait for the provider
    if (living !== undefined && living.status !== 'invalid' && isStale(living, clock.now())) {
      await requestRefresh(db, jobs, walletId)
    }
    return showMandate(payments, await readPayingAccount(db, walletId), t)
  })

  api.serveLate(
    'POST /api/v4/payments/mandate',
    async ({ principal, read, ...request }) => {
      const walletId = await ownWalletId(principal)
      const input = read()
      const account = await readPayingAccount(db, walletId)
      const amounts = await readInput(account, input, request.language)
      const provider = await providers.require(db, walletId)
      const method = await requireMethod(provider, account, input.methodId)
      await throttle.spend(paymentsOf(walletId))
      const actor = actorOf(principal, request)
      const wanted = { walletId, provider: provider.name, method, amounts, paysAtOnce: true, actor }
      const paymentId = await prepareOnce(db, 'mandate', (trx, id) =>
        prepareSetup(trx, payments, { ...wanted, id }),
      )
      const returnUrl = `${portalUrl(config.APP_URL, request)}/wallet`
      return askProvider(payments, paymentId, { returnUrl, language: request.language })
    },
    { isResumable: true },
  )

  api.serveLate('PUT /api/v4/payments/mandate', async ({ principal, read, t, language, ip }) => {
    const walletId = await ownWalletId(principal)
    if (!(await hasMandate(db, walletId))) throw new NotFound()
    const input = read()
    const amountsFor = (account: PayingAccount) => readInput(account, input, language)
    await changeOwnMandate(payments, walletId, amountsFor, actorOf(principal, { ip }))
    const shown = await showMandate(payments, await readPayingAccount(db, walletId), t)
    return { ...shown, status: 'success', message: t('mandate.update-success') }
  })

  api.serve('DELETE /api/v4/payments/mandate', async ({ principal, t, ip }) => {
    const walletId = await ownWalletId(principal)
    await removeOwnMandate(payments, walletId, actorOf(principal, { ip }))
    return { status: 'success', message: t('mandate.delete-success') }
  })

  api.serveLate(
    'POST /api/v4/payments/mandate/reset',
    async ({ principal, read, ...request }) => {
      const walletId = await ownWalletId(principal)
      const input = read()
      const account = await readPayingAccount(db, walletId)
      const row = await readMandate(db, walletId)
      const provider = await providers.require(db, walletId)
      const method = await requireMethod(provider, account, input.methodId)
      await throttle.spend(paymentsOf(walletId))
      const amounts = row ?? { amount: (await leastAmountOf(db, account)).amount, threshold: 0 }
      const wanted = {
        walletId,
        provider: provider.name,
        method,
        amounts,
        actor: actorOf(principal, request),
      }
      const returnUrl = `${portalUrl(config.APP_URL, request)}/payment/status`
      return beginAgain(payments, wanted, { returnUrl, language: request.language })
    },
    { isResumable: true },
  )
}

async function hasMandate(db: Db, walletId: string): Promise<boolean> {
  if (livingMandate(await readMandate(db, walletId)) !== undefined) return true
  return (await begunSetup(db, walletId)) !== undefined
}

/** Auto-payment of a wallet from local data, without calling the provider. */
export async function showMandate(
  parts: AutoPaymentParts,
  account: PayingAccount,
  t: Translate,
): Promise<Mandate> {
  const { db } = parts
  const row = await readMandate(db, account.walletId)
  const setup = await begunSetup(db, account.walletId)
  const hasFailed = await hasSetupFailed(db, account.walletId)
  const least = await leastAmountOf(db, account)
  const vat = await vatOfWallet(parts, account.walletId)
  return presentMandate({ row, setup, hasFailed, least, currency: account.currency, vat }, t)
}
