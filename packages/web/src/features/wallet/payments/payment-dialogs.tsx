import { useQuery } from '@tanstack/react-query'
import type { WalletInfo } from '../../../platform/session/auth.ts'
import { forecastQuery, walletQuery } from '../wallet-calls.ts'
import { AutoDialog } from './auto/auto-dialog.tsx'
import { PayDialog } from './pay/pay-dialog.tsx'
import { mandateQuery } from './payment-calls.ts'
import type { Payments } from './use-payments.ts'
import { WindowDialog } from './window-dialog.tsx'
import './payments.css'

/** The open payment dialog, once its initial data is loaded. */
export function PaymentDialogs({ wallet, payments }: { wallet: WalletInfo; payments: Payments }) {
  const { dialog } = payments
  const { id, currency } = wallet
  const forecast = useQuery(forecastQuery(id))
  const detail = useQuery(walletQuery(id))
  const mandate = useQuery({ ...mandateQuery(), enabled: payments.canAutomate })
  const balance = detail.data?.balance ?? wallet.balance
  const isKnown = !detail.isPending && !forecast.isPending
  return (
    <>
      {dialog === 'pay' && isKnown && (
        <PayDialog purse={{ currency, balance }} forecast={forecast.data} payments={payments} />
      )}
      {dialog === 'auto' && isKnown && mandate.data && (
        <AutoDialog purse={{ currency, balance }} mandate={mandate.data} payments={payments} />
      )}
      <WindowDialog payments={payments} />
    </>
  )
}
