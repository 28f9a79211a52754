import type { GroupListItem, groupSortKeys } from '@gatehouse/contract/directory/groups'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useObjectColumns } from '../../domain/directory/object-columns.tsx'
import { ObjectList } from '../../domain/directory/object-list.tsx'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { distlistKind } from './distlist-kind.ts'

// The contract's own arrays would bring its validator into the browser.
const sorts = ['name', 'email', 'created', 'members'] as const satisfies typeof groupSortKeys
const states = ['active', 'pending', 'suspended', 'deleted'] as const
const options = { sorts, filters: { status: states } } as const

/** All distribution lists of the account. */
export function DistlistsPage() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, search, sort, order, filters } = navigation.place
  const { data: all } = useQuery(apiQuery('GET /api/v4/groups', { query: { size: 1 } }))
  const query = useQuery({
    ...apiQuery('GET /api/v4/groups', {
      query: { page, size, search: search || null, sort, order, status: filters.status ?? null },
    }),
    placeholderData: keepPreviousData,
  })
  const members: Column<GroupListItem> = {
    name: 'members',
    label: t('distlists.members'),
    sortable: true,
    align: 'end',
    phone: 'hidden',
    width: '12%',
    cell: (list) => number(list.members),
  }
  const columns = useObjectColumns<GroupListItem>({
    kind: distlistKind,
    deleted: filters.status === 'deleted',
    more: [members],
    fact: (list) => t('distlists.memberCount', { count: list.members, number: number(list.members) }),
  })
  return (
    <ObjectList
      kind={distlistKind}
      columns={columns}
      query={query}
      navigation={navigation}
      sorts={sorts}
      states={states}
      total={all?.total}
    />
  )
}
