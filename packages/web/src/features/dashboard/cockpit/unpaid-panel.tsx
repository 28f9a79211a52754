import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffOverview } from '@gatehouse/contract/overview'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import { balance, day } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Link } from '../../../router/link.tsx'
import { Chip } from '../../../ui/facts/status-chip.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { counted } from './staff-fact.ts'
import './unpaid-panel.css'

/** Customers who owe money, longest debts first, and the number of degraded ones. */
export function UnpaidPanel({ unpaid, degraded }: Pick<StaffOverview, 'unpaid' | 'degraded'>) {
  const t = useT()
  return (
    <div className="unpaid">
      <Panel
        title={t('dashboard.unpaid')}
        actions={
          <span className="small text-3">
            {t('dashboard.unpaidFacts', {
              count: unpaid.count,
              number: counted(unpaid.count),
              degraded: counted(degraded),
            })}
          </span>
        }
        flush
      >
        {unpaid.list.length === 0 ? (
          <p className="unpaid-none">{t('dashboard.noneUnpaid')}</p>
        ) : (
          <ul aria-label={t('dashboard.unpaid')}>
            {unpaid.list.map(({ id, email, since, isDegraded, ...debt }) => (
              <li key={id}>
                <div>
                  <Link to={`/user/${id}`}>{displayAddress(email)}</Link>
                  <span className="small text-3">{t('dashboard.since', { date: day(since) })}</span>
                </div>
                {isDegraded && (
                  <Chip tone="warning" icon={IconPlayerPause}>
                    {t('dashboard.degraded')}
                  </Chip>
                )}
                <span className="unpaid-amount negative">{balance(debt.balance, debt.currency)}</span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  )
}
