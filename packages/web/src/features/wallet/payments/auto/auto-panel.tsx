import type { Mandate } from '@gatehouse/contract/billing/payments'
import type { Forecast } from '@gatehouse/contract/billing/wallets'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { methodIcons } from '../../../../domain/payments/method-choices.tsx'
import { pollEvery } from '../../../../domain/payments/payment-poll.ts'
import { centsOf } from '../../../../domain/wallet/amounts.ts'
import type { MessageKey } from '../../../../i18n/areas.ts'
import { day, price } from '../../../../i18n/format.ts'
import { useT } from '../../../../i18n/i18n.ts'
import { call } from '../../../../platform/api/api.ts'
import { useRequestKey } from '../../../../platform/api/request-key.ts'
import { useReturn } from '../../../../platform/navigation/use-return.ts'
import type { WalletInfo } from '../../../../platform/session/auth.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import { Facts } from '../../../../ui/facts/facts.tsx'
import { Chip, type Tone } from '../../../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../../../ui/icon.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { LoadFailed } from '../../../../ui/page/load-failed.tsx'
import { Note } from '../../../../ui/page/note.tsx'
import { Panel } from '../../../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../../../ui/page/skeleton.tsx'
import { futureCourse } from '../../balance-course.ts'
import { nextTopUp } from '../pay/top-ups.ts'
import { type MandateKind, mandateKind, mandateQuery, planOf, useCancelMandate } from '../payment-calls.ts'
import type { Payments } from '../use-payments.ts'

const chips: Partial<Record<MandateKind, { tone: Tone; icon: Glyph; label: MessageKey }>> = {
  failed: { tone: 'danger', icon: IconAlertTriangle, label: 'words.failed' },
  pending: { tone: 'warning', icon: IconClock, label: 'payment.autoPending' },
  disabled: { tone: 'danger', icon: IconAlertTriangle, label: 'payment.autoDisabled' },
  valid: { tone: 'success', icon: IconCircleCheck, label: 'payment.autoOn' },
}

export interface AutoPanelProps {
  wallet: Pick<WalletInfo, 'balance'>
  forecast: Forecast | undefined
  payments: Payments
}

/** Whether a setup or top-up is pending that completes without action here. */
function isDecidedSoon(mandate: Mandate | undefined, balance: number): boolean {
  const plan = planOf(mandate)
  return mandate?.isPending === true || (plan !== undefined && balance < plan.threshold)
}

/** Auto-payment of the wallet in each state, with actions. */
export function AutoPanel({ wallet, forecast, payments }: AutoPanelProps) {
  const t = useT()
  const query = useQuery({
    ...mandateQuery(),
    refetchInterval: ({ state }) => (isDecidedSoon(state.data, wallet.balance) ? pollEvery : false),
  })
  const mandate = query.data
  const chip = mandate && chips[mandateKind(mandate)]
  return (
    <Panel
      title={t('words.autoPayment')}
      busy={!mandate && !query.isError}
      actions={
        chip && (
          <Chip tone={chip.tone} icon={chip.icon}>
            {t(chip.label)}
          </Chip>
        )
      }
    >
      {mandate ? (
        <AutoPayment mandate={mandate} forecast={forecast} payments={payments} />
      ) : query.isError ? (
        <LoadFailed onRetry={query.refetch} />
      ) : (
        <AutoSkeleton />
      )}
    </Panel>
  )
}

interface AutoPaymentProps {
  mandate: Mandate
  forecast: Forecast | undefined
  payments: Payments
}

function AutoPayment({ mandate, forecast, payments }: AutoPaymentProps) {
  const t = useT()
  const [isCancelling, setCancelling] = useState(false)
  const kind = mandateKind(mandate)
  const isNew = kind === 'none' || kind === 'failed'
  return (
    <div className="stack">
      {kind === 'none' && mandate.notice && <Note tone="warning" live title={mandate.notice} />}
      {kind === 'none' && <p className="text-2">{t('payment.autoText')}</p>}
      {kind === 'failed' && <Note tone="danger" live title={mandate.notice ?? t('payment.autoFailedText')} />}
      {kind === 'disabled' && (
        <Note tone="danger" live title={mandate.notice ?? t('payment.autoDisabledText')} />
      )}
      {!isNew && <MandateFacts mandate={mandate} forecast={forecast} />}
      {kind === 'pending' && <GoOn mandate={mandate} payments={payments} />}
      <div className="row wrap">
        <Button size="small" onPress={() => payments.open('auto')}>
          {t(isNew ? 'payment.autoSetUp' : 'payment.change')}
        </Button>
        {kind !== 'none' && (
          <Button size="small" variant="quiet" onPress={() => setCancelling(true)}>
            {t('payment.autoCancel')}
          </Button>
        )}
      </div>
      {isCancelling && <CancelDialog mandate={mandate} onClose={() => setCancelling(false)} />}
    </div>
  )
}

/** Resumes an abandoned setup with its amounts. */
function GoOn({ mandate, payments }: { mandate: Mandate; payments: Payments }) {
  const t = useT()
  const requestKey = useRequestKey()
  const [visit, setVisit] = useState(0)
  useReturn(() => setVisit((count) => count + 1))
  const begin = async () => {
    const { amount, balance, methodId, currency } = mandate
    const body = { amount: amount.toFixed(2), balance: balance.toFixed(2), methodId, currency }
    const headers = requestKey({ ...body, visit })
    await payments.follow(await call('POST /api/v4/payments/mandate', { body, headers }))
  }
  return (
    <>
      <p className="small text-2">
        {t('payment.autoPendingText')} {t('payment.leftOpen')}
      </p>
      {/* a page that is shown again as it was left must not stay busy */}
      <Button key={visit} size="small" busyLabel={t('payment.sending')} onPress={begin}>
        {t('payment.openAgain')}
      </Button>
    </>
  )
}

function MandateFacts({ mandate, forecast }: { mandate: Mandate; forecast: Forecast | undefined }) {
  const t = useT()
  const [now] = useState(() => Date.now())
  const { amount, balance, currency, method, methodId } = mandate
  const next =
    forecast && mandateKind(mandate) === 'valid'
      ? nextTopUp(futureCourse(forecast, now), centsOf(balance))
      : undefined
  return (
    <Facts
      facts={[
        { label: t('payment.fillUpBy'), value: <b>{price(centsOf(amount), currency)}</b> },
        { label: t('payment.whenBelow'), value: <b>{price(centsOf(balance), currency)}</b> },
        ...(method
          ? [
              {
                label: t('payment.methodShort'),
                value: (
                  <span className="payment-card">
                    {methodId && <Icon of={methodIcons[methodId]} size="small" />}
                    {method}
                  </span>
                ),
              },
            ]
          : []),
        ...(next === undefined ? [] : [{ label: t('payment.expected'), value: expectedDay(t, next, now) }]),
      ]}
    />
  )
}

function expectedDay(t: ReturnType<typeof useT>, at: number, now: number): string {
  if (at <= now) return t('payment.expectedSoon')
  return day(new Date(at), { dateStyle: 'long', timeZone: 'UTC' })
}

function CancelDialog({ mandate, onClose }: { mandate: Mandate; onClose: () => void }) {
  const t = useT()
  const cancel = useCancelMandate()
  const { method, amount, balance, currency } = mandate
  return (
    <Dialog
      open
      title={t('payment.autoCancelTitle', { method: method ?? '', named: method ? 'yes' : 'no' })}
      onClose={onClose}
      cancelFocus
      cancelLabel={t('payment.keep')}
      actions={[{ preset: 'delete', label: t('payment.autoCancelDo'), onPress: cancel }]}
    >
      <ul className="dialog-effects">
        <li>
          {t('payment.autoCancelEffect', {
            amount: price(centsOf(amount), currency),
            threshold: price(centsOf(balance), currency),
          })}
        </li>
        <li>{t('payment.autoCancelStays')}</li>
        <li>{t('payment.autoCancelLater')}</li>
      </ul>
    </Dialog>
  )
}

function AutoSkeleton() {
  return (
    <Loading>
      <div className="facts">
        {[80, 70, 120].map((width) => (
          <div key={width}>
            <Skeleton width={90} height={13} />
            <Skeleton width={width} height={13} />
          </div>
        ))}
      </div>
    </Loading>
  )
}
