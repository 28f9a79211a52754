import { useLocation, useNavigate } from '@tanstack/react-router'
import { shownWallets, useUser, type WalletInfo } from '../../app/auth.ts'
import { balance } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ReceiptList } from '../../ui/wallet/receipt-list.tsx'
import { TransactionList } from '../../ui/wallet/transaction-list.tsx'
import { AlertsTab } from './alerts-tab.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { CostsTab } from './costs-tab.tsx'
import { ForecastTab } from './forecast-tab.tsx'
import { SpendingPanel } from './spending-panel.tsx'
import { VerifyTab } from './verify/verify-tab.tsx'
import './wallet.css'

/** The money of an account: what is there, what came and went, what will. */
export function WalletPage() {
  const t = useT()
  const user = useUser()
  const wallets = user ? shownWallets(user) : []
  const [wallet, choose] = useChosen(wallets)
  if (!wallet) return null
  return (
    <>
      <PageHead
        title={t('section.wallet')}
        facts={t('wallet.facts')}
        actions={
          wallets.length > 1 && (
            <ListFilter
              label={t('wallet.which')}
              all={walletName(wallets[0])}
              options={wallets.slice(1).map((one) => ({ value: one.id, label: walletName(one) }))}
              value={wallet.id === wallets[0]?.id ? undefined : wallet.id}
              onFilter={choose}
            />
          )
        }
      />
      <Wallet key={wallet.id} id={wallet.id} />
    </>
  )
}

function Wallet({ id }: { id: string }) {
  const t = useT()
  return (
    <div className="columns">
      <div className="stack wallet-main">
        <BalancePanel id={id} />
        <div>
          <Tabs
            outside
            label={t('wallet.tabs')}
            keep={['wallet']}
            tabs={[
              { name: 'receipts', label: t('wallet.receipts'), content: () => <ReceiptList id={id} /> },
              { name: 'history', label: t('wallet.history'), content: () => <TransactionList id={id} /> },
              { name: 'costs', label: t('wallet.costs'), content: () => <CostsTab id={id} /> },
              { name: 'forecast', label: t('wallet.forecast'), content: () => <ForecastTab id={id} /> },
              { name: 'alerts', label: t('wallet.alerts'), content: () => <AlertsTab id={id} /> },
              { name: 'verify', label: t('wallet.verify'), content: () => <VerifyTab id={id} /> },
            ]}
          />
        </div>
      </div>
      <aside className="stack" aria-label={t('wallet.spending')}>
        <SpendingPanel id={id} />
      </aside>
    </div>
  )
}

/** The wallet that the address names, else the first. */
function useChosen(wallets: readonly WalletInfo[]) {
  const navigate = useNavigate()
  // without registered routes the query is an open record
  const query = useLocation({ select: ({ search }): Record<string, unknown> => search })
  const wallet = wallets.find(({ id }) => id === query.wallet) ?? wallets[0]
  const choose = (id: string | undefined) => void navigate({ to: '.', search: { wallet: id } })
  return [wallet, choose] as const
}

function walletName(wallet: WalletInfo | undefined): string {
  if (!wallet) return ''
  const money = balance(wallet.balance, wallet.currency)
  return wallet.user_email ? `${wallet.user_email} · ${money}` : money
}
