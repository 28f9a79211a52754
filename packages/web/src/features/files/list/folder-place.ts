import type { fileSortKeys as sortKeys } from '@gatehouse/contract/files/file-items'
import type { MessageKey } from '../../../i18n/areas.ts'
import type { ListPlace } from '../../../ui/data-table/list-place.ts'

// Importing the contract's array would pull its validator into the bundle.
/** Sort keys of files. */
export const fileSorts = ['name', 'size', 'mtime', 'created', 'type'] as const satisfies typeof sortKeys

/** Query parameters of a folder. */
export const folderOptions = {
  sorts: fileSorts,
  filters: { type: ['collection', 'file'], deep: ['1'] },
  size: 100,
} as const

export type FolderPlace = ListPlace<(typeof fileSorts)[number], (typeof folderOptions)['filters']>

export const typeLabels: Record<(typeof folderOptions.filters.type)[number], MessageKey> = {
  collection: 'words.folders',
  file: 'words.files',
}

/** The query of a folder's list. */
export function folderQuery(
  parent: string | null,
  { page, size, search, sort, order, filters }: FolderPlace,
) {
  return {
    parent,
    page,
    size,
    sort,
    order,
    search: search || null,
    type: filters.type ?? null,
    collections_first: '1' as const,
    recursive: search !== '' && filters.deep ? ('1' as const) : null,
  }
}
