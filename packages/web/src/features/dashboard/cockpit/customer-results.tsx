import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffMatch, StaffUserItem } from '@gatehouse/contract/staff/staff-views'
import { useEffect, useEffectEvent } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { customerNumber, day } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApiPage } from '../../../platform/api/query.tsx'
import { useNavigate } from '../../../router/router-context.tsx'
import { DataList } from '../../../ui/data-table/data-list.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { FoundText } from '../../../ui/data-table/found-text.tsx'
import type { ListNavigation } from '../../../ui/data-table/list-place.ts'
import { TableLink } from '../../../ui/data-table/table-link.tsx'
import { StatusChip } from '../../../ui/facts/status-chip.tsx'
import { onlyHit } from './only-hit.ts'

type Navigation = ListNavigation<'match', Record<string, never>>

const matchLabels: Record<StaffMatch, MessageKey> = {
  email: 'words.address',
  id: 'words.number',
  alias: 'customer.byAlias',
  external_email: 'customer.byExternal',
  object: 'customer.byObject',
  domain: 'words.domain',
  wallet: 'words.wallet',
  payment: 'words.payment',
  customer: 'customer.byCustomer',
  phone: 'customer.byPhone',
  name: 'words.name',
  organization: 'customer.byOrganization',
}

/** The customers found; a single result opens its page. */
export function CustomerResults({ navigation }: { navigation: Navigation }) {
  const t = useT()
  const { search, page, size } = navigation.place
  const query = useApiPage(
    'GET /api/v4/users @staff',
    { query: { search, page, size } },
    {
      // older results may be suspended by now
      staleTime: 0,
    },
  )
  useOnlyHit(query.isPlaceholderData || query.isFetching ? undefined : query.data, page)
  const columns = useColumns()
  if (query.data?.list.length === 0 && page === 1 && !query.isPlaceholderData) {
    return <NobodyFound text={search} />
  }
  return (
    <div className="customer-results">
      <DataList
        label={t('customer.results')}
        columns={columns}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        empty={null}
      />
    </div>
  )
}

function NobodyFound({ text }: { text: string }) {
  const t = useT()
  return (
    <section className="panel customer-results">
      <div className="list-no-match" role="status">
        <h2>{t('list.noMatchFor', { text })}</h2>
        <p>{t('customer.nothingHint')}</p>
      </div>
    </section>
  )
}

/** Opens the only hit, replacing the results in history, so that "back" leads to where the search started. */
function useOnlyHit(data: Parameters<typeof onlyHit>[0], page: number): void {
  const navigate = useNavigate()
  const id = onlyHit(data, page)
  const open = useEffectEvent((hit: number) => {
    void navigate({ to: `/user/${hit}`, replace: true })
  })
  useEffect(() => {
    if (id !== undefined) open(id)
  }, [id])
}

function useColumns(): readonly Column<StaffUserItem>[] {
  const t = useT()
  return [
    {
      name: 'email',
      label: t('words.address'),
      phone: 'main',
      width: '34%',
      cell: ({ id, email, name, deleted_at: deleted }) => (
        <>
          <TableLink to={`/user/${id}`} muted={deleted !== null}>
            <FoundText text={displayAddress(email)} />
          </TableLink>
          <span className="data-second">{name && <FoundText text={name} />}</span>
        </>
      ),
    },
    {
      name: 'id',
      label: t('words.number'),
      phone: 'meta',
      cell: ({ id }) => <span className="nowrap">{customerNumber(id)}</span>,
    },
    {
      name: 'match',
      label: t('customer.foundBy'),
      phone: 'meta',
      cell: ({ match }) => match && <span className="text-2">{t(matchLabels[match])}</span>,
    },
    {
      name: 'owner',
      label: t('customer.account'),
      phone: 'hidden',
      cell: ({ id, owner }) =>
        owner && owner.id !== id ? <span className="text-2">{displayAddress(owner.email)}</span> : null,
    },
    {
      name: 'created',
      label: t('words.created'),
      phone: 'hidden',
      cell: ({ created_at: created, deleted_at: deleted }) => (
        <>
          <span className="text-2 nowrap">{day(created)}</span>
          {deleted && (
            <span className="data-second">{t('customer.deletedShort', { date: day(deleted) })}</span>
          )}
        </>
      ),
    },
    {
      name: 'status',
      label: t('words.status'),
      phone: 'aside',
      align: 'end',
      cell: (user) => <StatusChip of={user} />,
    },
  ]
}
