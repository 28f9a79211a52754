import type { Batch } from '@gatehouse/contract/directory/bulk'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Link } from '../../router/link.tsx'
import { isOver } from './batch-calls.ts'
import { BatchProgress, RowCounts } from './batch-progress.tsx'
import { outcomeSentence } from './outcome-sentence.ts'
import { RowProblems } from './row-problems.tsx'

export interface BulkOutcomeProps {
  batch: Batch
  /** Name of the only object. */
  name?: string | undefined
  onLeave: () => void
}

/** Progress of the work; at the end its result, and the first failed rows. */
export function BulkOutcome({ batch, name, onLeave }: BulkOutcomeProps) {
  const t = useT()
  const over = isOver(batch.state)
  const hasFailed = batch.counts.failed > 0
  const failed = useApi(
    'GET /api/v4/batches/{id}/rows',
    {
      params: { id: batch.id },
      query: { state: 'failed', size: 20 },
    },
    { enabled: over && hasFailed },
  )
  return (
    <>
      {!over && <BatchProgress of={batch} />}
      {!over && <p>{t('bulk.mayClose')}</p>}
      {over && <p role="status">{outcomeSentence(t, batch, name)}</p>}
      {over && <RowCounts of={batch} />}
      {failed.data && <RowProblems label={t('bulk.failedLabel')} rows={failed.data.list} />}
      <p>
        <Link to={`/batch/${batch.id}`} onClick={onLeave}>
          {t('bulk.showAll')}
        </Link>
      </p>
    </>
  )
}
