import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { lightPoll, pollEvery } from '../../domain/payments/payment-poll.ts'
import { ReceiptList } from '../../domain/wallet/receipt-list.tsx'
import { TransactionList } from '../../domain/wallet/transaction-list.tsx'
import { balance } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { shownWallets, useUser, type WalletInfo } from '../../platform/session/auth.ts'
import { Navigate, useLocation, useNavigate } from '../../router/router-context.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { CostsAndForecast } from './costs-and-forecast.tsx'
import { MoreTab } from './more-tab.tsx'
import { movedPlace } from './moved-place.ts'
import { AutoPanel } from './payments/auto/auto-panel.tsx'
import { NotOffered } from './payments/not-offered.tsx'
import type { Plan } from './payments/pay/top-ups.ts'
import { mandateQuery, pendingQuery, planOf, refreshMoney } from './payments/payment-calls.ts'
import { PaymentDialogs } from './payments/payment-dialogs.tsx'
import { PaymentWatch } from './payments/payment-watch.tsx'
import { PendingNote } from './payments/pending-note.tsx'
import { type Payments, usePayments } from './payments/use-payments.ts'
import { SpendingPanel } from './spending-panel.tsx'
import { forecastQuery, walletQuery } from './wallet-calls.ts'
import './wallet.css'

/** Finances of an account: balance, transactions and forecast. */
export function WalletPage() {
  const t = useT()
  const user = useUser()
  const wallets = user ? shownWallets(user) : []
  const [wallet, choose] = useChosen(wallets)
  const payments = usePayments(wallet?.id)
  const moved = movedPlace(useQueryOfPage())
  if (!wallet) return null
  if (moved) return <Navigate to="." search={moved} replace />
  return (
    <>
      <PageHead
        title={t('words.wallet')}
        facts={t(variant() === 'reseller' ? 'wallet.factsReseller' : 'wallet.facts')}
        actions={
          (wallets.length > 1 || payments.canPay) && (
            <>
              {wallets.length > 1 && (
                <ListFilter
                  label={t('words.wallet')}
                  all={walletName(wallets[0])}
                  options={wallets.slice(1).map((one) => ({ value: one.id, label: walletName(one) }))}
                  value={wallet.id === wallets[0]?.id ? undefined : wallet.id}
                  onFilter={choose}
                />
              )}
              {payments.canPay && (
                <Button variant="primary" icon={IconPlus} onPress={() => payments.open('pay')}>
                  {t('payment.add')}
                </Button>
              )}
            </>
          )
        }
      />
      <Wallet key={wallet.id} wallet={wallet} payments={payments} />
    </>
  )
}

function Wallet({ wallet, payments }: { wallet: WalletInfo; payments: Payments }) {
  const t = useT()
  const { id } = wallet
  const forecast = useQuery(forecastQuery(id))
  const { watched, isOwn } = payments
  const pending = useQuery({
    ...pendingQuery(),
    enabled: isOwn,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? lightPoll : false),
  })
  const waiting = (isOwn && pending.data?.list) || []
  // the watched payment is shown separately
  const others = waiting.filter((payment) => payment.id !== watched)
  const mandate = useQuery({ ...mandateQuery(), enabled: payments.canAutomate })
  const plan = planOf(mandate.data)
  useSameBalance(wallet, plan, isOwn && isWaiting(pending.data))
  return (
    <>
      {watched !== undefined && (
        <div className="payment-watch">
          <PaymentWatch key={watched} id={watched} payments={payments} />
        </div>
      )}
      <div className="columns">
        <div className="stack wallet-main">
          <BalancePanel id={id} plan={plan} />
          <div>
            <Tabs
              outside
              label={t('wallet.tabs')}
              keep={['wallet']}
              tabs={useTabs(id, waiting, pending.data?.hasMore)}
            />
          </div>
        </div>
        <aside className="stack" aria-label={t('wallet.aside')}>
          {isOwn && !payments.canPay && !payments.canAutomate && <NotOffered />}
          {payments.canAutomate && <AutoPanel wallet={wallet} forecast={forecast.data} payments={payments} />}
          <PendingNote payments={others} hasMore={pending.data?.hasMore ?? false} />
          <SpendingPanel id={id} />
        </aside>
      </div>
      <PaymentDialogs wallet={wallet} payments={payments} />
    </>
  )
}

/** Whether payments are pending, which a provider webhook may complete at any time. */
function isWaiting(pending: { list: readonly unknown[] } | undefined): boolean {
  return (pending?.list.length ?? 0) > 0
}

function useTabs(id: string, waiting: readonly unknown[], hasMore = false) {
  const t = useT()
  return [
    { name: 'history', label: t('words.history'), content: () => <TransactionList id={id} /> },
    { name: 'receipts', label: t('wallet.receipts'), content: () => <ReceiptList id={id} /> },
    { name: 'costs', label: t('wallet.costsAndForecast'), content: () => <CostsAndForecast id={id} /> },
    {
      name: 'more',
      label: t('wallet.more'),
      content: () => <MoreTab id={id} pending={waiting.length} hasMore={hasMore} />,
    },
  ]
}

/** Updates the balance on other screens when this one receives a new one. */
function useSameBalance(
  { id, balance: known }: WalletInfo,
  plan: Plan | undefined,
  isWaiting: boolean,
): void {
  const client = useQueryClient()
  const { data } = useQuery({
    ...walletQuery(id),
    // auto-payment is about to top it up, or to fail
    refetchInterval: ({ state }) =>
      plan && state.data && state.data.balance < plan.threshold ? pollEvery : isWaiting && lightPoll,
  })
  const now = data?.balance
  const follow = useEffectEvent((latest: number | undefined) => {
    if (latest !== undefined && latest !== known) void refreshMoney(client)
  })
  useEffect(() => follow(now), [now])
  // a payment no longer pending has completed or failed, and the balance may have been loaded just before
  const wasWaiting = useRef(isWaiting)
  useEffect(() => {
    if (wasWaiting.current && !isWaiting) void refreshMoney(client)
    wasWaiting.current = isWaiting
  }, [isWaiting, client])
}

/** Returns the wallet named in the URL, otherwise the first. */
function useChosen(wallets: readonly WalletInfo[]) {
  const navigate = useNavigate()
  const query = useQueryOfPage()
  const wallet = wallets.find(({ id }) => id === query.wallet) ?? wallets[0]
  const choose = (id: string | undefined) => void navigate({ to: '.', search: { wallet: id } })
  return [wallet, choose] as const
}

/** The query is untyped without registered routes. */
function useQueryOfPage(): Record<string, unknown> {
  return useLocation().search
}

function walletName(wallet: WalletInfo | undefined): string {
  if (!wallet) return ''
  const money = balance(wallet.balance, wallet.currency)
  return wallet.user_email ? `${displayAddress(wallet.user_email)} · ${money}` : money
}
