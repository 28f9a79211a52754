import type { Batch, BatchRow, rowStates as states } from '@gatehouse/contract/directory/bulk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { batchQuery, forgetBatch, isUnderWay } from '../../domain/bulk/batch-calls.ts'
import { RowChip, rowLooks, rowStates } from '../../domain/bulk/batch-progress.tsx'
import { RowMessages } from '../../domain/bulk/row-problems.tsx'
import { pageByPath } from '../../domain/directory/kind.ts'
import { ObjectLoader } from '../../domain/directory/object-loader.tsx'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { useParams } from '../../router/router-context.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { BatchChip } from './batch-chip.tsx'
import { BatchSummary } from './batch-summary.tsx'
import { useBatchTitle } from './batch-title.ts'
import './imports.css'

// Importing the contract's array would pull its validator into the bundle.
const rowFilter = ['open', 'ok', 'refused', 'done', 'failed', 'skipped'] as const satisfies typeof states
const options = { sorts: ['n'], filters: { state: rowFilter } } as const

/** An import or another bulk operation: preview, progress and results. */
export function BatchPage() {
  // Parameters are untyped without registered routes.
  const params = useParams()
  const query = useQuery(batchQuery(params.batch ?? ''))
  return <ObjectLoader query={query}>{(batch) => <BatchScreen key={batch.id} batch={batch} />}</ObjectLoader>
}

function BatchScreen({ batch }: { batch: Batch }) {
  const t = useT()
  const titleOf = useBatchTitle()
  useFollowers(batch)
  return (
    <>
      <PageHead
        title={titleOf(batch)}
        status={<BatchChip state={batch.state} />}
        facts={batch.by ?? '\u00a0'}
        trail={[{ label: t('words.import'), to: '/import' }]}
      />
      <div className="import-stack">
        <BatchSummary batch={batch} />
        <Rows batch={batch} />
      </div>
    </>
  )
}

/** Refetches rows after each step, and lists of objects at the end. */
function useFollowers(batch: Batch): void {
  const client = useQueryClient()
  const counts = JSON.stringify(batch.counts)
  const follow = useEffectEvent(() => {
    void client.invalidateQueries({ queryKey: ['GET /api/v4/batches/{id}/rows', { id: batch.id }] })
    if (!isUnderWay(batch.state)) void forgetBatch(client, batch)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rerun when the progress changes
  useEffect(() => {
    follow()
  }, [counts, batch.state])
}

function Rows({ batch }: { batch: Batch }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, filters } = navigation.place
  const query = useApiPage('GET /api/v4/batches/{id}/rows', {
    params: { id: batch.id },
    query: { page, size, state: filters.state ?? null },
  })
  const found = rowStates.filter((state) => batch.counts[state] > 0 || state === filters.state)
  return (
    <DataList
      label={t('words.rows')}
      columns={useColumns(batch)}
      rowKey={({ n }) => n}
      query={query}
      navigation={navigation}
      tools={
        <ListFilter
          label={t('words.outcome')}
          all={t('words.any')}
          options={found.map((state) => ({
            value: state,
            label: `${t(rowLooks[state].label)} (${number(batch.counts[state])})`,
          }))}
          value={filters.state}
          onFilter={(value) => navigation.go({ filters: { state: rowFilter.find((one) => one === value) } })}
        />
      }
      empty={<EmptyState title={t('imports.noRowsTitle')}>{t('imports.noRowsText')}</EmptyState>}
    />
  )
}

function useColumns({ objects, action }: Batch): readonly Column<BatchRow>[] {
  const t = useT()
  const page = action === 'delete' ? undefined : pageByPath(objects === 'members' ? 'groups' : objects)
  return [
    {
      name: 'n',
      label: t('imports.row'),
      phone: 'hidden',
      width: '8%',
      cell: ({ n }) => <span className="text-3">{number(n)}</span>,
    },
    {
      name: 'object',
      label: t('imports.object'),
      phone: 'main',
      width: '34%',
      cell: ({ label, objectId, state }) =>
        page && objectId !== null && state === 'done' ? (
          <TableLink to={`${page}/${objectId}`}>{label}</TableLink>
        ) : (
          <span className="medium import-label">{label || '–'}</span>
        ),
    },
    {
      name: 'outcome',
      label: t('words.outcome'),
      phone: 'aside',
      width: '16%',
      cell: ({ state }) => <RowChip state={state} />,
    },
    { name: 'problem', label: t('imports.problem'), phone: 'meta', cell: (row) => <RowMessages of={row} /> },
  ]
}
