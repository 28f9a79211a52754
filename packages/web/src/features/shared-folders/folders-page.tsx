import type { FolderListItem, folderSortKeys } from '@gatehouse/contract/directory/folders'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { typeIcons, typeLabels } from '../../domain/directory/folder-types.ts'
import { useObjectColumns } from '../../domain/directory/object-columns.tsx'
import { ObjectList } from '../../domain/directory/object-list.tsx'
import { useT } from '../../i18n/i18n.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { folderKind } from './folder-kind.ts'

// The contract's own arrays would bring its validator into the browser.
const sorts = ['name', 'type', 'email', 'created'] as const satisfies typeof folderSortKeys
const states = ['active', 'pending', 'deleted'] as const
const options = { sorts, filters: { status: states } } as const

/** All shared folders of the account. */
export function FoldersPage() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, search, sort, order, filters } = navigation.place
  const { data: all } = useQuery(apiQuery('GET /api/v4/shared-folders', { query: { size: 1 } }))
  const query = useQuery({
    ...apiQuery('GET /api/v4/shared-folders', {
      query: { page, size, search: search || null, sort, order, status: filters.status ?? null },
    }),
    placeholderData: keepPreviousData,
  })
  const type: Column<FolderListItem> = {
    name: 'type',
    label: t('folders.type'),
    sortable: true,
    phone: 'hidden',
    width: '14%',
    cell: (folder) => <span className="text-2">{t(typeLabels[folder.type])}</span>,
  }
  const columns = useObjectColumns<FolderListItem>({
    kind: folderKind,
    deleted: filters.status === 'deleted',
    more: [type],
    icon: (folder) => typeIcons[folder.type],
    fact: (folder) => t(typeLabels[folder.type]),
  })
  return (
    <ObjectList
      kind={folderKind}
      columns={columns}
      query={query}
      navigation={navigation}
      sorts={sorts}
      states={states}
      total={all?.total}
    />
  )
}
