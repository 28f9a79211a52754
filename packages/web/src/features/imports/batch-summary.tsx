import type { Batch } from '@gatehouse/contract/directory/bulk'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { batchQuery, cancelBatch, isUnderWay } from '../../domain/bulk/batch-calls.ts'
import { BatchProgress, RowCounts } from '../../domain/bulk/batch-progress.tsx'
import { CostLines } from '../../domain/bulk/cost-lines.tsx'
import type { MessageKey } from '../../i18n/areas.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { download } from '../../platform/api/download.ts'
import { ActionMenu } from '../../ui/buttons/action-menu.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { toasts } from '../../ui/toasts/store.ts'

const leads: Record<Batch['state'], MessageKey> = {
  reading: 'imports.leadReading',
  checking: 'imports.leadChecking',
  ready: 'imports.leadReady',
  running: 'imports.leadRunning',
  done: 'imports.leadDone',
  cancelled: 'imports.leadCancelled',
}

/** State, cost and actions of a batch. */
export function BatchSummary({ batch }: { batch: Batch }) {
  const t = useT()
  const leadId = useId()
  const { state, price, canCancel, counts } = batch
  const isNothing = state === 'ready' && counts.ok === 0
  const isPlan = batch.kind === 'plan' && state === 'ready'
  return (
    <Panel
      title={t('imports.summary')}
      actions={<Outcome batch={batch} />}
      footer={
        canCancel && (
          <>
            <span className="spacer" />
            <Cancel batch={batch} />
            {!isPlan && <Start batch={batch} reasonId={leadId} />}
          </>
        )
      }
    >
      <div className="stack">
        <p role="status" id={leadId}>
          {t(isPlan ? 'imports.leadPlanReady' : isNothing ? 'imports.leadNothing' : leads[state])}
        </p>
        {isUnderWay(state) && <BatchProgress of={batch} />}
        <RowCounts of={batch} />
        {price && state !== 'cancelled' && <CostLines of={price} />}
      </div>
    </Panel>
  )
}

function Outcome({ batch }: { batch: Batch }) {
  const t = useT()
  if (isUnderWay(batch.state) && batch.state !== 'running') return null
  const save = (query: { bom?: '1' }) => () =>
    download('GET /api/v4/batches/{id}/export', { params: { id: batch.id }, query })
  return (
    <ActionMenu
      label={t('words.outcome')}
      busyLabel={t('bulk.exporting')}
      icon={IconDownload}
      actions={[
        { label: t('bulk.exportCsv'), onPress: save({}) },
        { label: t('bulk.exportExcel'), onPress: save({ bom: '1' }) },
      ]}
    />
  )
}

/** Starts the work; `reasonId` is the text that says why it can't be started. */
function Start({ batch, reasonId }: { batch: Batch; reasonId: string }) {
  const t = useT()
  const client = useQueryClient()
  if (batch.state !== 'ready') return null
  const count = batch.counts.ok
  const start = async () => {
    const { queryKey } = batchQuery(batch.id)
    try {
      const params = { id: batch.id }
      const answer = await call('POST /api/v4/batches/{id}/start', { params, body: {} })
      client.setQueryData(queryKey, answer.batch)
      toasts.success(answer.message)
    } catch (error) {
      // It was cancelled in another window.
      await client.invalidateQueries({ queryKey })
      throw error
    }
  }
  const { objects } = batch
  return (
    <Button
      variant="primary"
      disabled={!batch.canStart}
      aria-describedby={batch.canStart ? undefined : reasonId}
      busyLabel={t('bulk.starting')}
      onPress={start}
    >
      {t('imports.start', { things: t('bulk.things', { objects, count, number: number(count) }) })}
    </Button>
  )
}

function Cancel({ batch }: { batch: Batch }) {
  const t = useT()
  const client = useQueryClient()
  const [asked, setAsked] = useState(false)
  const cancel = async () => {
    toasts.info(await cancelBatch(client, batch.id))
  }
  // Before it starts, cancelling only discards the preview.
  if (batch.state !== 'running') {
    return <Button onPress={cancel}>{t('words.discard')}</Button>
  }
  return (
    <>
      <Button variant="danger-outline" onPress={() => setAsked(true)}>
        {t('bulk.stop')}
      </Button>
      <Dialog
        open={asked}
        title={t('imports.stopTitle')}
        onClose={() => setAsked(false)}
        cancelFocus
        cancelLabel={t('imports.goOn')}
        actions={[{ label: t('bulk.stop'), className: 'button-danger', dismiss: true, onPress: cancel }]}
      >
        <p>{t('imports.stopText')}</p>
      </Dialog>
    </>
  )
}
