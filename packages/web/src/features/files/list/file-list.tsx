import type { FileItem } from '@gatehouse/contract/files/file-items'
import IconArrowsMove from '@tabler/icons-react/dist/esm/icons/IconArrowsMove.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { ReactNode } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import type { ListQuery } from '../../../ui/data-table/data-list.tsx'
import { DataTableSkeleton } from '../../../ui/data-table/data-table.tsx'
import { ListFilter } from '../../../ui/data-table/list-filter.tsx'
import { type ListNavigation, sortBy } from '../../../ui/data-table/list-place.ts'
import { ListSearch } from '../../../ui/data-table/list-search.tsx'
import { ListSort } from '../../../ui/data-table/list-sort.tsx'
import { Pager } from '../../../ui/data-table/pager.tsx'
import { useLastPage } from '../../../ui/data-table/use-last-page.ts'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { downloadItems } from '../calls.ts'
import { usePreviewPlace } from '../preview/preview-place.ts'
import { useDropped } from '../uploads/use-dropped.ts'
import { useActs } from './acts.ts'
import { type Chosen, useChosen } from './chosen.ts'
import { ChosenBar } from './chosen-bar.tsx'
import { FileGrid } from './file-grid.tsx'
import { FileTable, fileColumns } from './file-table.tsx'
import { AddActions } from './folder-actions.tsx'
import { fileSorts, folderOptions, typeLabels } from './folder-place.ts'
import type { Ask } from './item-dialogs.tsx'
import { useView } from './use-view.ts'
import { ViewSwitch } from './view-switch.tsx'

export interface FileListProps {
  query: ListQuery<FileItem>
  navigation: ListNavigation<(typeof fileSorts)[number], (typeof folderOptions)['filters']>
  /** The folder; null: the root. */
  parent: string | null
  canAdd: boolean
  ask: Ask
  /** The selection is cleared when it changes. */
  scope: string
}

/** The list of a folder in all its states. */
export function FileList(props: FileListProps) {
  const { query, navigation, scope, ask } = props
  const { search, filters } = navigation.place
  const { data } = query
  const isNarrowed = search !== '' || filters.type !== undefined
  const chosen = useChosen<FileItem>(JSON.stringify([scope, search, filters]), data?.list)
  useLastPage(query, navigation)
  if (data && data.list.length === 0 && !isNarrowed && navigation.place.page === 1) {
    return (
      <section className="panel">
        <Empty {...props} />
      </section>
    )
  }
  return (
    <section className="panel" aria-busy={(!data && !query.isError) || query.isPlaceholderData || undefined}>
      <Tools {...props} />
      <Bar chosen={chosen} ask={ask} />
      <Content {...props} chosen={chosen} />
    </section>
  )
}

function Tools({ navigation }: FileListProps) {
  const t = useT()
  const { place, go } = navigation
  const { search, filters } = place
  return (
    <div className="list-tools">
      <ListSearch
        label={t('files.search')}
        placeholder={t('files.searchPlaceholder')}
        value={search}
        onSearch={(text) => go({ search: text }, { replace: search !== '' && text !== '' })}
      />
      <ListFilter
        label={t('files.kind')}
        all={t('words.any')}
        options={folderOptions.filters.type.map((value) => ({ value, label: t(typeLabels[value]) }))}
        value={filters.type}
        onFilter={(type) => go((latest) => ({ filters: { ...latest.filters, type } }))}
      />
      <Checkbox
        id="files-deep"
        label={t('files.searchDeep')}
        checked={filters.deep === '1'}
        onChecked={(checked) =>
          go((latest) => ({ filters: { ...latest.filters, deep: checked ? '1' : undefined } }))
        }
      />
      <ListSort columns={fileColumns(t)} navigation={navigation} />
      <span className="spacer" />
      <ViewSwitch />
    </div>
  )
}

/** Number of selected items, announced to screen readers, and the actions on all of them. */
function Bar({ chosen, ask }: { chosen: Chosen<FileItem>; ask: Ask }) {
  const t = useT()
  const { items } = chosen
  const canChange = items.every(({ canUpdate }) => canUpdate)
  return (
    <ChosenBar chosen={chosen}>
      <Button size="small" icon={IconDownload} onPress={() => downloadItems(items)}>
        {t('words.download')}
      </Button>
      {canChange && (
        <Button size="small" icon={IconArrowsMove} onPress={() => ask('move', items)}>
          {t('files.move')}
        </Button>
      )}
      <Button size="small" icon={IconCopy} onPress={() => ask('copy', items)}>
        {t('files.copy')}
      </Button>
      {items.every(({ canDelete }) => canDelete) && (
        <Button size="small" icon={IconTrash} onPress={() => ask('delete', items)}>
          {t('words.delete')}
        </Button>
      )}
    </ChosenBar>
  )
}

function Content({ query, navigation, chosen, ask, parent }: FileListProps & { chosen: Chosen<FileItem> }) {
  const t = useT()
  const [view] = useView()
  const { place, go } = navigation
  const { data } = query
  const { move } = useActs()
  const preview = usePreviewPlace()
  const drop = useDropped()
  if (query.isError && (!data || query.isPlaceholderData)) {
    return (
      <div className="panel-body">
        <LoadFailed onRetry={query.refetch} />
      </div>
    )
  }
  if (!data) return <DataTableSkeleton columns={fileColumns(t)} count={8} withBoxes />
  if (data.list.length === 0) return <NoMatch navigation={navigation} />
  const rows = {
    label: t('words.files'),
    items: data.list,
    chosen,
    ask,
    busy: query.isPlaceholderData,
    onPreview: ({ id }: FileItem) => preview.show(id),
    onMove: (items: readonly FileItem[], folder: FileItem) => {
      // the call's toast reports failures
      void move(items, folder.id, parent).then(chosen.clear, () => undefined)
    },
    onFiles: (transfer: DataTransfer, folder: FileItem) => drop(transfer, folder.id),
  }
  return (
    <>
      {view === 'grid' ? (
        <FileGrid {...rows} />
      ) : (
        <FileTable
          {...rows}
          sort={place.sort}
          order={place.order}
          onSort={(name) => {
            const key = fileSorts.find((one) => one === name)
            if (key) go(sortBy(place, key))
          }}
        />
      )}
      <Pager
        page={place.page}
        size={place.size}
        count={data.list.length}
        hasMore={data.hasMore}
        busy={query.isPlaceholderData}
        total={data.total}
        onPage={(page) => go({ page })}
        onSize={(size) => go({ size: size === 20 || size === 50 ? size : 100 })}
      />
    </>
  )
}

function NoMatch({ navigation: { place, go } }: Pick<FileListProps, 'navigation'>) {
  const t = useT()
  const isShallow = place.search !== '' && !place.filters.deep
  return (
    <div className="list-no-match" role="status">
      <h2>{place.search ? t('list.noMatchFor', { text: place.search }) : t('list.noMatch')}</h2>
      <p>{t(isShallow ? 'files.noMatchHere' : 'list.noMatchHint')}</p>
      <span className="row wrap">
        {isShallow && (
          <Button
            variant="primary"
            onPress={() => go((latest) => ({ filters: { ...latest.filters, deep: '1' } }))}
          >
            {t('files.searchBelow')}
          </Button>
        )}
        <Button onPress={() => go({ search: '', filters: {} })}>{t('list.showAll')}</Button>
      </span>
    </div>
  )
}

function Empty({ canAdd, parent }: FileListProps): ReactNode {
  const t = useT()
  if (!canAdd) return <EmptyState title={t('files.emptyTitle')}>{t('files.emptyForeign')}</EmptyState>
  return (
    <EmptyState
      title={parent === null ? t('files.emptyRoot') : t('files.emptyTitle')}
      action={
        <span className="row wrap">
          <AddActions parent={parent} />
        </span>
      }
    >
      {t('files.emptyText')}
    </EmptyState>
  )
}
