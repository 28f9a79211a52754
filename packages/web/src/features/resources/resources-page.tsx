import type { ResourceListItem, resourceSortKeys } from '@gatehouse/contract/directory/resources'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useObjectColumns } from '../../domain/directory/object-columns.tsx'
import { ObjectList } from '../../domain/directory/object-list.tsx'
import { apiQuery } from '../../platform/api/query.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { resourceKind } from './resource-kind.ts'

// The contract's own arrays would bring its validator into the browser.
const sorts = ['name', 'email', 'created'] as const satisfies typeof resourceSortKeys
const states = ['active', 'pending', 'deleted'] as const
const options = { sorts, filters: { status: states } } as const

/** All resources of the account. */
export function ResourcesPage() {
  const navigation = useListPlace(options)
  const { page, size, search, sort, order, filters } = navigation.place
  const { data: all } = useQuery(apiQuery('GET /api/v4/resources', { query: { size: 1 } }))
  const query = useQuery({
    ...apiQuery('GET /api/v4/resources', {
      query: { page, size, search: search || null, sort, order, status: filters.status ?? null },
    }),
    placeholderData: keepPreviousData,
  })
  const columns = useObjectColumns<ResourceListItem>({
    kind: resourceKind,
    deleted: filters.status === 'deleted',
  })
  return (
    <ObjectList
      kind={resourceKind}
      columns={columns}
      query={query}
      navigation={navigation}
      sorts={sorts}
      states={states}
      total={all?.total}
    />
  )
}
