import type { OneOffRequest } from '@gatehouse/contract/billing/one-offs'
import { displayAddress } from '@gatehouse/contract/canonical-address'
import { balance, day, moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Link } from '../../../router/link.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { Chip } from '../../../ui/facts/status-chip.tsx'
import { ApprovalActions } from './approval-actions.tsx'
import { looks } from './approval-state.ts'

/** Columns of the approvals list. */
export function useApprovalColumns(): readonly Column<OneOffRequest>[] {
  const t = useT()
  return [
    {
      name: 'customer',
      label: t('words.customer'),
      phone: 'main',
      width: '34%',
      cell: ({ user, description }) => (
        <>
          <Link to={`/user/${user.id}`} className="medium approvals-wrap">
            {displayAddress(user.email)}
          </Link>
          <span className="data-second approvals-wrap">{description}</span>
        </>
      ),
    },
    {
      name: 'amount',
      label: t('words.amount'),
      phone: 'meta',
      align: 'end',
      cell: ({ amount, currency }) => <span className="medium nowrap">{balance(amount, currency)}</span>,
    },
    {
      name: 'state',
      label: t('approvals.state'),
      phone: 'meta',
      cell: (request) => <State request={request} />,
    },
    {
      name: 'created',
      label: t('approvals.requested'),
      phone: 'meta',
      cell: ({ createdAt, requestedBy }) => (
        <>
          <span className="text-2 nowrap">{moment(createdAt)}</span>
          <span className="data-second approvals-wrap">{t('approvals.by', { name: requestedBy })}</span>
        </>
      ),
    },
    {
      name: 'actions',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      cell: (request) => <ApprovalActions request={request} />,
    },
  ]
}

function State({ request: { state, decidedBy, comment, expiresAt } }: { request: OneOffRequest }) {
  const t = useT()
  const { tone, icon, label } = looks[state]
  return (
    <>
      <Chip tone={tone} icon={icon}>
        {t(label)}
      </Chip>
      {state === 'pending' && (
        <span className="data-second">{t('approvals.until', { day: day(expiresAt) })}</span>
      )}
      {decidedBy && (
        <span className="data-second approvals-wrap">{t('approvals.by', { name: decidedBy })}</span>
      )}
      {comment && <span className="data-second approvals-wrap">{comment}</span>}
    </>
  )
}
