import type { FolderListItem, folderSortKeys } from '@gatehouse/contract/directory/folders'
import { typeIcons, typeLabels } from '../../domain/directory/folder-types.ts'
import { ObjectList } from '../../domain/directory/object-list.tsx'
import { useT } from '../../i18n/i18n.ts'
import type { Column } from '../../ui/data-table/data-table.tsx'

// Importing the contract's array would pull its validator into the bundle.
const sorts = ['name', 'type', 'email', 'created'] as const satisfies typeof folderSortKeys

/** All shared folders of the account. */
export function FoldersPage() {
  const t = useT()
  const type: Column<FolderListItem> = {
    name: 'type',
    label: t('words.type'),
    sortable: true,
    phone: 'hidden',
    width: '14%',
    cell: (folder) => <span className="text-2">{t(typeLabels[folder.type])}</span>,
  }
  return (
    <ObjectList
      kind="shared-folder"
      sorts={sorts}
      more={[type]}
      icon={(folder) => typeIcons[folder.type]}
      fact={(folder) => t(typeLabels[folder.type])}
    />
  )
}
