import type { MailItem, mailOutcomes } from '@gatehouse/contract/staff/operations'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import { customerNumber, moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { Link } from '../../router/link.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { SearchedList } from '../../ui/data-table/searched-list.tsx'
import { Chip } from '../../ui/facts/status-chip.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'

// Importing the contract's array would pull its validator into the bundle.
const outcomes = ['sent', 'failed'] as const satisfies typeof mailOutcomes

const labels = { sent: 'operations.sent', failed: 'words.failed' } as const

const options = { sorts: ['time'], filters: { outcome: outcomes }, order: 'desc' } as const

/** Sent and failed mails, newest first; their bodies aren't stored. */
export function MailsTab() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, search, filters } = navigation.place
  const query = useApiPage(
    'GET /api/v4/mails',
    {
      query: { page, size, search: search || null, outcome: filters.outcome ?? null },
    },
    { staleTime: 0 },
  )
  return (
    <SearchedList
      label={t('operations.mails')}
      columns={useColumns()}
      rowKey={({ id }) => id}
      query={query}
      navigation={navigation}
      search={{ label: t('operations.searchMails'), placeholder: t('operations.searchMailsText') }}
      filter={{
        label: t('words.outcome'),
        all: t('words.all'),
        options: outcomes.map((outcome) => ({ value: outcome, label: t(labels[outcome]) })),
        value: filters.outcome,
        onFilter: (outcome) => navigation.go({ filters: { outcome } }),
      }}
      empty={<EmptyState title={t('operations.noMails')}>{t('operations.noMailsText')}</EmptyState>}
    />
  )
}

function useColumns(): readonly Column<MailItem>[] {
  const t = useT()
  return [
    {
      name: 'subject',
      label: t('operations.mailItem'),
      phone: 'main',
      width: '44%',
      cell: ({ subject, name, error }) => (
        <>
          <span className="medium jobs-wrap">{subject}</span>
          <span className="data-second mono">{name}</span>
          {error && <span className="data-second jobs-error">{error}</span>}
        </>
      ),
    },
    {
      name: 'recipients',
      label: t('operations.recipients'),
      phone: 'meta',
      cell: ({ recipients, userId }) => (
        <>
          <span className="jobs-wrap">{recipients.join(', ')}</span>
          {userId !== null && (
            <Link className="data-second" to={`/user/${userId}`}>
              {t('operations.about', { number: customerNumber(userId) })}
            </Link>
          )}
        </>
      ),
    },
    {
      name: 'outcome',
      label: t('words.outcome'),
      phone: 'aside',
      cell: ({ outcome }) => (
        <Chip
          tone={outcome === 'sent' ? 'success' : 'danger'}
          icon={outcome === 'sent' ? IconCircleCheck : IconCircleX}
        >
          {t(labels[outcome])}
        </Chip>
      ),
    },
    {
      name: 'time',
      label: t('words.when'),
      phone: 'meta',
      align: 'end',
      cell: ({ createdAt }) => <span className="text-2 nowrap">{moment(createdAt)}</span>,
    },
  ]
}
