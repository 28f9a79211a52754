import type { DomainListItem } from '@gatehouse/contract/directory/domains'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import { day, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { FoundText } from '../../ui/data-table/found-text.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useRestore } from './use-restore.ts'

/** The columns of the list of domains. */
export function useDomainColumns(): readonly Column<DomainListItem>[] {
  const t = useT()
  return [
    {
      name: 'namespace',
      label: t('words.domain'),
      sortable: true,
      phone: 'main',
      width: '48%',
      cell: (domain) => <NameCell domain={domain} />,
    },
    {
      name: 'status',
      label: t('domains.status'),
      phone: 'aside',
      width: '18%',
      cell: (domain) => <StatusChip of={domain} />,
    },
    {
      name: 'users',
      label: t('words.users'),
      align: 'end',
      phone: 'hidden',
      width: '14%',
      cell: ({ users }) => <span className={users === 0 ? 'text-3' : undefined}>{number(users)}</span>,
    },
    {
      name: 'created',
      label: t('domains.created'),
      sortable: true,
      align: 'end',
      phone: 'hidden',
      cell: (domain) => <span className="text-3">{day(domain.created_at)}</span>,
    },
  ]
}

/** Columns of deleted domains, each with a restore button. */
export function useDeletedColumns(): readonly Column<DomainListItem>[] {
  const t = useT()
  return [
    {
      name: 'namespace',
      label: t('words.domain'),
      sortable: true,
      phone: 'main',
      width: '40%',
      cell: (domain) => <NameCell domain={domain} />,
    },
    {
      name: 'deleted',
      label: t('words.deleted'),
      phone: 'meta',
      cell: ({ deleted_at }) => (
        <span className="text-3">
          <span className="domains-second-label">{t('words.deleted')} </span>
          {deleted_at && day(deleted_at)}
        </span>
      ),
    },
    {
      name: 'until',
      label: t('domains.restorableUntil'),
      phone: 'meta',
      cell: ({ restorable_until }) => (
        <span className="text-3">
          {restorable_until ? day(restorable_until) : t('domains.notRestorable')}
        </span>
      ),
    },
    {
      name: 'restore',
      label: t('words.restore'),
      align: 'end',
      phone: 'aside',
      width: '14%',
      cell: (domain) => domain.restorable_until && <Restore domain={domain} />,
    },
  ]
}

function NameCell({ domain }: { domain: DomainListItem }) {
  const t = useT()
  const { id, displayName, namespace, users, isDeleted, isConfirmed } = domain
  const isForeign = displayName !== namespace
  const isOpen = !isDeleted && !isConfirmed
  return (
    <span className="domains-name">
      <span className="domains-mark" aria-hidden="true">
        <Icon of={IconWorld} />
      </span>
      <span className="domains-name-text">
        {isDeleted ? (
          <span className="domains-gone">
            <FoundText text={displayName} />
          </span>
        ) : (
          <TableLink to={`/domain/${id}`}>
            <FoundText text={displayName} />
          </TableLink>
        )}
        {(isForeign || isOpen) && (
          <span className="data-second">
            {[isForeign && namespace, isOpen && t('domains.toConfirm')].filter(Boolean).join(' · ')}
          </span>
        )}
        {!isDeleted && (
          <span className="data-second domains-second">{t('domains.usersCount', { count: users })}</span>
        )}
      </span>
    </span>
  )
}

function Restore({ domain }: { domain: DomainListItem }) {
  const t = useT()
  const restore = useRestore()
  return (
    <Button
      size="small"
      icon={IconArrowBackUp}
      onPress={() => restore(domain.id)}
      busyLabel={t('domains.restoring')}
    >
      {t('words.restore')}
      <span className="visually-hidden"> {domain.displayName}</span>
    </Button>
  )
}
