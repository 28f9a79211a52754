import type { GroupListItem, groupSortKeys } from '@gatehouse/contract/directory/groups'
import { ObjectList } from '../../domain/directory/object-list.tsx'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import type { Column } from '../../ui/data-table/data-table.tsx'

// Importing the contract's array would pull its validator into the bundle.
const sorts = ['name', 'email', 'created', 'members'] as const satisfies typeof groupSortKeys

/** All distribution lists of the account. */
export function DistlistsPage() {
  const t = useT()
  const members: Column<GroupListItem> = {
    name: 'members',
    label: t('words.members'),
    sortable: true,
    align: 'end',
    phone: 'hidden',
    width: '12%',
    cell: (list) => number(list.members),
  }
  return (
    <ObjectList
      kind="group"
      sorts={sorts}
      more={[members]}
      fact={(list) => t('distlists.memberCount', { count: list.members, number: number(list.members) })}
      isImportable
    />
  )
}
