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

/** What a wallet's page offers of payments, and the payment that it follows. */
export interface Payments {
  /** The wallet is the one that payments act on. */
  isOwn: boolean
  canPay: boolean
  canAutomate: boolean
  dialog: PaymentDialog | undefined
  open: (dialog: PaymentDialog) => void
  close: () => void
  /** Goes on with a payment that was begun; never resolves when the page is left for it. */
  follow: (handOff: HandOff) => Promise<void>
  /** The payment that this tab was left for, until it is told what came of it. */
  watched: string | undefined
  unwatch: () => void
  /** The provider's page is another window. */
  beside: Beside | undefined
  closeBeside: () => void
}

/** Payments act on the wallet of one's account; with another one there is nothing to offer. */
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
      // an address that says "pay" would ask again after the way back
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

/** The dialog that the address asks for, such as `/wallet?pay=1`, and how to take that out of the address. */
function useAskedDialog() {
  const navigate = useNavigate()
  // without registered routes the query is an open record
  const query = useLocation().search
  const asked: PaymentDialog | undefined =
    query.pay === undefined ? undefined : query.pay === 'auto' ? 'auto' : 'pay'
  const forget = () => {
    if (asked)
      void navigate({ to: '.', search: { ...query, pay: undefined }, replace: true, resetScroll: false })
  }
  return [asked, forget] as const
}
