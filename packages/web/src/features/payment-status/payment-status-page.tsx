import type { PaymentState } from '@gatehouse/contract/billing/payments'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isOpen, paymentStatusQuery } from '../../domain/payments/payment-poll.ts'
import { forgetPayment, rememberedPayment } from '../../domain/payments/remembered-payment.ts'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { canContactSupport } from '../../platform/config.ts'
import { useReturn } from '../../platform/navigation/use-return.ts'
import { hasPermission, useUser } from '../../platform/session/auth.ts'
import { reloadUser, unlock } from '../../platform/session/session.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note, type NoteTone } from '../../ui/page/note.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { SetUpAgain } from './set-up-again.tsx'
import './payment-status.css'

/** Milliseconds to read that the payment has arrived; specification "Locked account". */
const readingTime = 5000

/** Outcome of the last payment, and the page on which a locked account waits for its first one. */
export function PaymentStatusPage() {
  const t = useT()
  const locked = useUser()?.isLocked ?? false
  const query = useQuery(paymentStatusQuery(goesOn))
  useReturn(query.refetch)
  const opens = useOpening(query.data, locked)
  return (
    <>
      <PageHead title={t('words.payment')} />
      <div className="stack payment-status">
        {locked && query.data?.status !== 'paid' && !isForbidden(query.error) && (
          <Note tone="warning" title={t('payment.locked')}>
            {t('payment.lockedText')}
          </Note>
        )}
        {query.data && (query.failureCount > 0 || query.fetchStatus === 'paused') && (
          <Note
            tone="warning"
            live
            title={t('payment.unreachable')}
            actions={
              <Button size="small" icon={IconRefresh} onPress={() => query.refetch()}>
                {t('load.retry')}
              </Button>
            }
          >
            {t('payment.unreachableText')}
          </Note>
        )}
        <Content query={query} locked={locked} opens={opens} />
      </div>
    </>
  )
}

function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403
}

function goesOn({ status, isLocked }: PaymentState): boolean {
  return isOpen(status) || (status === 'paid' && isLocked)
}

/**
 * Continues to the account shortly after the server has unlocked it. The provider's webhook is often faster
 * than the redirect: then the account was never seen locked here, but users returning from its payment
 * continue anyway. Returns whether that will happen.
 */
function useOpening(state: PaymentState | undefined, locked: boolean): boolean {
  const [left] = useState(rememberedPayment)
  const isPaid = state?.status === 'paid'
  const isBack = state?.type === 'mandate' && state.id === left
  const goesOn = isPaid && !state.isLocked && (locked || isBack)
  useEffect(() => {
    if (!goesOn) return
    const goOn = () => {
      forgetPayment()
      unlock()
    }
    const timer = setTimeout(() => void reloadUser().finally(goOn), readingTime)
    return () => clearTimeout(timer)
  }, [goesOn])
  return isPaid && (locked || isBack)
}

/** Retries at once, even during a backoff. */
function askAnew(client: QueryClient): Promise<void> {
  return client.resetQueries({ queryKey: paymentStatusQuery(goesOn).queryKey })
}

interface ContentProps {
  query: Pick<
    ReturnType<typeof useQuery<PaymentState>>,
    'data' | 'error' | 'failureCount' | 'fetchStatus' | 'refetch'
  >
  locked: boolean
  opens: boolean
}

function Content({ query, locked, opens }: ContentProps) {
  const { data, error } = query
  const client = useQueryClient()
  if (data) return <Payment state={data} locked={locked} opens={opens} onBegun={query.refetch} />
  if (error instanceof ApiError && error.status === 404)
    return <NoPayment locked={locked} onBegun={query.refetch} />
  if (isForbidden(error)) return <OwnersOnly locked={locked} />
  if (error || query.failureCount > 0 || query.fetchStatus === 'paused') {
    return (
      <Panel footer={<WaysOut locked={locked} />}>
        <LoadFailed onRetry={() => askAnew(client)} />
      </Panel>
    )
  }
  return (
    <Panel busy>
      <Loading>
        <div className="stack stack-tight">
          <Skeleton width="40%" height={18} />
          <Skeleton width="65%" />
        </div>
      </Loading>
    </Panel>
  )
}

const tones: Partial<Record<PaymentState['status'], NoteTone>> = {
  paid: 'success',
  canceled: 'warning',
  expired: 'danger',
  failed: 'danger',
}

interface PaymentProps {
  state: PaymentState
  locked: boolean
  /** The account is paid and will open in a moment. */
  opens: boolean
  onBegun: () => unknown
}

function Payment({ state, locked, opens, onBegun }: PaymentProps) {
  const t = useT()
  const { status, type, description, statusMessage } = state
  return (
    <Panel title={description} footer={<WaysOut locked={locked && !opens} />}>
      <div className="stack">
        {isOpen(status) ? (
          <div className="payment-checking" role="status">
            <span className="spinner" aria-hidden="true" />
            <div>
              <b>{statusMessage}</b>
              <p className="text-2">{t('payment.checkingText')}</p>
            </div>
          </div>
        ) : (
          <Note tone={tones[status] ?? 'info'} live title={statusMessage}>
            {opens && t('payment.opensSoon')}
          </Note>
        )}
        {type === 'mandate' && status !== 'paid' && hasPermission('walletMandates') && (
          <SetUpAgain key={state.id} isOpen={isOpen(status)} onBegun={onBegun} />
        )}
      </div>
    </Panel>
  )
}

/** There is no payment to show: a locked account needs one, others have nothing to do here. */
function NoPayment({ locked, onBegun }: { locked: boolean; onBegun: () => unknown }) {
  const t = useT()
  return (
    <Panel title={t(locked ? 'payment.waiting' : 'payment.none')} footer={<WaysOut locked={locked} />}>
      <div className="stack">
        <p className="text-2">{t(locked ? 'payment.waitingText' : 'payment.noneText')}</p>
        {locked && hasPermission('walletMandates') && <SetUpAgain isFirst onBegun={onBegun} />}
      </div>
    </Panel>
  )
}

/** Members of an account can neither see nor make its payments. */
function OwnersOnly({ locked }: { locked: boolean }) {
  const t = useT()
  return (
    <Panel title={t('payment.owners')} footer={<WaysOut locked={locked} />}>
      <p className="text-2">{t(locked ? 'payment.ownersLocked' : 'payment.ownersText')}</p>
    </Panel>
  )
}

/** Links to leave the page; a locked account can only contact support or sign out. */
function WaysOut({ locked }: { locked: boolean }) {
  const t = useT()
  return (
    <>
      {!locked && <ButtonLink to="/dashboard">{t('error.toDashboard')}</ButtonLink>}
      {!locked && hasPermission('wallets') && <ButtonLink to="/wallet">{t('words.wallet')}</ButtonLink>}
      {canContactSupport() && <ButtonLink to="/support/contact">{t('words.contactSupport')}</ButtonLink>}
      {locked && <ButtonLink to="/logout">{t('menu.logout')}</ButtonLink>}
    </>
  )
}
