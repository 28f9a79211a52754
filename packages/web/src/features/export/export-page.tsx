import type { DataExport, ExportKind } from '@gatehouse/contract/directory/data-exports'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ExportPanel } from './export-panel.tsx'
import './export.css'

/** Milliseconds between two looks at an export that isn't finished. */
const lookEvery = 2000

const isOpen = ({ state }: DataExport) => state === 'waiting' || state === 'running'

/** Exports of the reader's own data and, for its owner, of the whole account. */
export function ExportPage() {
  const t = useT()
  const exports = useApi(
    'GET /api/v4/exports',
    {},
    {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.list.some(isOpen) ? lookEvery : false),
    },
  )
  const { data } = exports
  const kinds: readonly ExportKind[] = data?.kinds ?? []
  return (
    <>
      <PageHead title={t('words.exportData')} facts={t('export.facts')} />
      <div className="stack export-page">
        {kinds.toReversed().map((kind) => (
          <ExportPanel
            key={kind}
            kind={kind}
            days={data?.days ?? 0}
            exports={data?.list.filter((one) => one.kind === kind) ?? []}
          />
        ))}
        {exports.isPending && <FormSkeleton />}
        {exports.isError && !data && <LoadFailed onRetry={exports.refetch} />}
        {data && <p className="text-3 small">{t('export.verify')}</p>}
      </div>
    </>
  )
}
