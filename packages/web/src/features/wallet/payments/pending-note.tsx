import type { PendingPayment } from '@gatehouse/contract/billing/payments'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { day, price, toDate } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Link } from '../../../router/link.tsx'
import { useLocation } from '../../../router/router-context.tsx'
import { Note } from '../../../ui/page/note.tsx'

/** Shows pending payments, so that users don't pay twice. */
export function PendingNote({
  payments,
  hasMore,
}: {
  payments: readonly PendingPayment[]
  hasMore: boolean
}) {
  const t = useT()
  // the query is untyped without registered routes
  const query = useLocation().search
  const [newest] = payments
  if (!newest) return null
  const sum = payments.reduce((total, { amount }) => total + amount, 0)
  const isOne = payments.length === 1
  return (
    <Note tone="warning" icon={IconClock} title={t('payment.pendingTitle', { count: payments.length })}>
      <p className="small text-2">
        {isOne
          ? t('payment.pendingOne', {
              amount: price(newest.amount, newest.currency),
              date: day(toDate(newest.createdAt), { day: 'numeric', month: 'long' }),
            })
          : t('payment.pendingMany', {
              amount: price(sum, newest.currency),
              more: hasMore ? 'yes' : 'no',
            })}{' '}
        {t('payment.pendingWait')}
      </p>
      <p className="small">
        <Link to="." search={{ wallet: query.wallet, tab: 'more', part: 'pending' }} resetScroll={false}>
          {t('payment.pendingShow')}
        </Link>
      </p>
    </Note>
  )
}
