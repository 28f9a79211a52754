import type { HandOff } from '@gatehouse/contract/billing/payments'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Course, followHandOff } from '../../../domain/payments/hand-off.ts'
import {
  forgetPayment,
  rememberedPayment,
  rememberPayment,
} from '../../../domain/payments/remembered-payment.ts'
import { t } from '../../../i18n/i18n.ts'
import { useReturn } from '../../../platform/navigation/use-return.ts'
import { hasPermission, useUser } from '../../../platform/session/auth.ts'
import { useLocation, useNavigate } from '../../../router/router-context.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { refreshMoney } from './payment-calls.ts'

/** `pay`: money now. `auto`: auto-payment. */
export type PaymentDialog = 'pay' | 'auto'

type Beside = Extract<Course, { kind: 'window' }>

/** Payment features of a wallet's page, and the payment being watched. */
export interface Payments {
  /** Payments apply to this wallet. */
  isOwn: boolean
  canPay: boolean
  canAutomate: boolean
  dialog: PaymentDialog | undefined
  open: (dialog: PaymentDialog) => void
  close: () => void
  /** Continues a started payment; never resolves if the page is left for it. */
  follow: (handOff: HandOff) => Promise<void>
  /** The payment this tab was left for, until its outcome has been shown. */
  watched: string | undefined
  unwatch: () => void
  /** The provider's page in another window. */
  beside: Beside | undefined
  closeBeside: () => void
}

/** Payments apply to the wallet of the user's account; for others, nothing is offered. */
export function usePayments(walletId: string | undefined): Payments {
  const user = useUser()
  const isOwn = walletId !== undefined && user?.wallet.id === walletId
  const canPay = isOwn && hasPermission('walletPayments', user)
  const canAutomate = isOwn && hasPermission('walletMandates', user)
  const client = useQueryClient()
  const [asked, forgetAsked] = useAskedDialog()
  const [opened, setOpened] = useState<PaymentDialog>()
  const [watched, setWatched] = useState(rememberedPayment)
  const [beside, setBeside] = useState<Beside>()
  const dialog = opened ?? asked

  const close = () => {
    setOpened(undefined)
    forgetAsked()
  }
  useReturn(() => {
    setOpened(undefined)
    setWatched(rememberedPayment())
    void refreshMoney(client)
  })

  return {
    isOwn,
    canPay,
    canAutomate,
    dialog: (dialog === 'pay' ? canPay : canAutomate) ? dialog : undefined,
    open: setOpened,
    close,
    follow: async (handOff) => {
      rememberPayment(handOff.id)
      // a URL with "pay" would reopen the dialog on return
      setOpened(dialog)
      forgetAsked()
      const course = followHandOff(handOff)
      if (course.kind === 'leaving') return new Promise(() => {})
      setWatched(handOff.id)
      setOpened(undefined)
      if (course.kind === 'window') setBeside(course)
      else toasts.info(t('payment.underWay'))
      return refreshMoney(client)
    },
    watched: isOwn ? watched : undefined,
    unwatch: () => {
      forgetPayment()
      setWatched(undefined)
      setBeside(undefined)
    },
    beside,
    closeBeside: () => setBeside(undefined),
  }
}

/** The dialog requested in the URL, such as `/wallet?pay=1`, with a function to remove it from the URL. */
function useAskedDialog() {
  const navigate = useNavigate()
  // the query is untyped without registered routes
  const query = useLocation().search
  const asked: PaymentDialog | undefined =
    query.pay === undefined ? undefined : query.pay === 'auto' ? 'auto' : 'pay'
  const forget = () => {
    if (asked)
      void navigate({ to: '.', search: { ...query, pay: undefined }, replace: true, resetScroll: false })
  }
  return [asked, forget] as const
}
