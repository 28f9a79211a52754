import type { Batch } from '@gatehouse/contract/directory/bulk'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { BatchChip } from './batch-chip.tsx'
import { batchPath, useBatchTitle } from './batch-title.ts'

/** Recent imports and bulk operations, with links to each. */
export function RecentWork() {
  const t = useT()
  const titleOf = useBatchTitle()
  const { data, isError, refetch } = useApi('GET /api/v4/batches', { query: { size: 10 } }, { staleTime: 0 })
  if (data?.list.length === 0) return null
  const columns: Column<Batch>[] = [
    {
      name: 'what',
      label: t('imports.what'),
      phone: 'main',
      cell: (batch) => <TableLink to={batchPath(batch)}>{titleOf(batch)}</TableLink>,
    },
    {
      name: 'state',
      label: t('imports.state'),
      phone: 'aside',
      width: '20%',
      cell: (batch) => <BatchChip state={batch.state} />,
    },
    {
      name: 'by',
      label: t('words.by'),
      phone: 'hidden',
      width: '24%',
      cell: ({ by }) => <span className="text-2">{by ?? '–'}</span>,
    },
    {
      name: 'when',
      label: t('imports.when'),
      phone: 'meta',
      align: 'end',
      width: '18%',
      cell: ({ created_at }) => <span className="text-3">{moment(created_at)}</span>,
    },
  ]
  return (
    <Panel title={t('imports.recent')} flush busy={!data && !isError}>
      {isError && (
        <div className="panel-body">
          <LoadFailed onRetry={refetch} />
        </div>
      )}
      {!data && !isError && <SkeletonRows count={3} />}
      {data && (
        <DataTable label={t('imports.recent')} columns={columns} rows={data.list} rowKey={({ id }) => id} />
      )}
    </Panel>
  )
}
