import type { TrashItem } from '@gatehouse/contract/files/file-history'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fileSize } from '../../../i18n/file-size.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApiPage } from '../../../platform/api/query.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { DataTable, DataTableSkeleton, type RowChoice } from '../../../ui/data-table/data-table.tsx'
import { sortBy, useListPlace } from '../../../ui/data-table/list-place.ts'
import { ListSearch } from '../../../ui/data-table/list-search.tsx'
import { ListSort } from '../../../ui/data-table/list-sort.tsx'
import { Pager } from '../../../ui/data-table/pager.tsx'
import { useLastPage } from '../../../ui/data-table/use-last-page.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { quotaQuery } from '../calls.ts'
import { FilesNav } from '../files-nav.tsx'
import { type Chosen, useChosen } from '../list/chosen.ts'
import { ChosenBar } from '../list/chosen-bar.tsx'
import { UploadBar } from '../uploads/upload-bar.tsx'
import { EmptyTrashDialog, EndDialog } from './end-dialogs.tsx'
import { useTrashColumns } from './trash-columns.tsx'
import { useRestore } from './use-restore.ts'

const sorts = ['deleted', 'name', 'size'] as const
const options = { sorts, filters: {}, order: 'desc', size: 100 } as const

/** Deleted items that can be restored. */
export function TrashScreen() {
  const t = useT()
  const quota = useQuery(quotaQuery())
  const [isEmptying, setEmptying] = useState(false)
  const [ended, setEnded] = useState<readonly TrashItem[]>()
  const [total, setTotal] = useState<number>()
  const facts = quota.data
    ? t('files.trashFacts', { size: fileSize(quota.data.trash), days: quota.data.trash_days })
    : '\u00a0'
  return (
    <>
      <PageHead
        title={t('files.trash')}
        trail={[{ label: t('words.files'), to: '/files' }]}
        facts={facts}
        actions={
          total !== undefined &&
          total > 0 && (
            <Button variant="danger-outline" icon={IconTrash} onPress={() => setEmptying(true)}>
              {t('files.emptyTrash')}
            </Button>
          )
        }
      />
      <FilesNav current="trash" />
      <TrashList onEnd={setEnded} onTotal={setTotal} />
      <UploadBar />
      {isEmptying && <EmptyTrashDialog count={total ?? 0} onClose={() => setEmptying(false)} />}
      {ended && <EndDialog items={ended} onClose={() => setEnded(undefined)} />}
    </>
  )
}

interface TrashListProps {
  onEnd: (items: readonly TrashItem[]) => void
  /** Called with the number of items, regardless of the filter. */
  onTotal: (total: number) => void
}

function TrashList({ onEnd, onTotal }: TrashListProps) {
  const t = useT()
  const navigation = useListPlace(options)
  const { place, go } = navigation
  const { page, size, search, sort, order } = place
  const query = useApiPage(
    'GET /api/v4/fs/trash',
    { query: { page, size, sort, order, search: search || null } },
    { staleTime: 0 },
  )
  const { data } = query
  const chosen = useChosen<TrashItem>(search, data?.list)
  const columns = useTrashColumns(onEnd)
  useLastPage(query, navigation)
  const total = search === '' ? data?.total : undefined
  useEffect(() => {
    if (total !== undefined) onTotal(total)
  }, [total, onTotal])
  if (data?.list.length === 0 && search === '' && page === 1) {
    return (
      <section className="panel">
        <EmptyState title={t('files.trashEmpty')}>{t('files.trashEmptyText')}</EmptyState>
      </section>
    )
  }
  return (
    <section className="panel" aria-busy={(!data && !query.isError) || query.isPlaceholderData || undefined}>
      <div className="list-tools">
        <ListSearch
          label={t('files.search')}
          placeholder={t('files.searchPlaceholder')}
          value={search}
          onSearch={(text) => go({ search: text }, { replace: search !== '' && text !== '' })}
        />
        <ListSort columns={columns} navigation={navigation} />
      </div>
      <Bar chosen={chosen} onEnd={onEnd} />
      {query.isError && (!data || query.isPlaceholderData) ? (
        <div className="panel-body">
          <LoadFailed onRetry={query.refetch} />
        </div>
      ) : !data ? (
        <DataTableSkeleton columns={columns} count={8} withBoxes />
      ) : data.list.length === 0 ? (
        <div className="list-no-match" role="status">
          <h2>{t('list.noMatchFor', { text: search })}</h2>
          <Button onPress={() => go({ search: '' })}>{t('list.showAll')}</Button>
        </div>
      ) : (
        <>
          <DataTable
            label={t('files.trash')}
            columns={columns}
            rows={data.list}
            rowKey={({ id }) => id}
            sort={sort}
            order={order}
            onSort={(name) => {
              const key = sorts.find((one) => one === name)
              if (key) go(sortBy(place, key))
            }}
            busy={query.isPlaceholderData}
            choice={choiceOf(chosen)}
          />
          <Pager
            page={page}
            size={size}
            count={data.list.length}
            hasMore={data.hasMore}
            busy={query.isPlaceholderData}
            total={data.total}
            onPage={(next) => go({ page: next })}
            onSize={(next) => go({ size: next === 20 || next === 50 ? next : 100 })}
          />
        </>
      )}
    </section>
  )
}

function Bar({ chosen, onEnd }: { chosen: Chosen<TrashItem>; onEnd: TrashListProps['onEnd'] }) {
  const t = useT()
  const restore = useRestore()
  return (
    <ChosenBar chosen={chosen}>
      <Button
        size="small"
        icon={IconArrowBackUp}
        onPress={async () => {
          await restore(chosen.items)
          chosen.clear()
        }}
      >
        {t('words.restore')}
      </Button>
      <Button size="small" icon={IconTrash} onPress={() => onEnd(chosen.items)}>
        {t('files.deleteForGood')}
      </Button>
    </ChosenBar>
  )
}

function choiceOf(chosen: Chosen<TrashItem>): RowChoice<TrashItem> {
  return {
    name: ({ name }) => name,
    isChosen: chosen.has,
    page: chosen.page,
    onRow: chosen.press,
    onPage: chosen.pressPage,
    onClear: chosen.clear,
  }
}
