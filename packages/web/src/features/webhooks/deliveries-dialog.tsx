import type { DeliveryError, Webhook, WebhookDelivery } from '@gatehouse/contract/webhooks/webhooks'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import { useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { moment, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Pager } from '../../ui/data-table/pager.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'

interface DeliveriesDialogProps {
  row: Webhook
  /** Days for which deliveries are kept. */
  deliveryDays: number
  onClose: () => void
}

const size = 20

const states = {
  pending: 'webhooks.waiting',
  delivered: 'webhooks.delivered',
  failed: 'webhooks.failed',
} as const satisfies Record<WebhookDelivery['state'], MessageKey>

const errors = {
  timeout: 'webhooks.errorTimeout',
  connection: 'webhooks.errorConnection',
  dns: 'webhooks.errorDns',
  tls: 'webhooks.errorTls',
  'private-address': 'webhooks.errorPrivate',
} as const satisfies Record<DeliveryError, MessageKey>

/** What was delivered to a webhook, a test, and a replay. */
export function DeliveriesDialog({ row, deliveryDays, onClose }: DeliveriesDialogProps) {
  const t = useT()
  const [page, setPage] = useState(1)
  const query = { page, size }
  const deliveries = useApi(
    'GET /api/v4/webhooks/{id}/deliveries',
    { params: { id: row.id }, query },
    { staleTime: 0 },
  )
  const { data } = deliveries
  return (
    <Dialog
      open
      wide
      title={t('webhooks.deliveriesOf', { name: row.name })}
      cancelLabel={t('words.done')}
      onClose={onClose}
    >
      <Tools row={row} />
      {deliveries.isPending && <SkeletonRows count={3} />}
      {deliveries.isError && <LoadFailed onRetry={deliveries.refetch} />}
      {data?.list.length === 0 && (
        <EmptyState title={t('webhooks.noDeliveries')}>{t('webhooks.noDeliveriesText')}</EmptyState>
      )}
      {data && data.list.length > 0 && (
        <>
          <DeliveryTable rows={data.list} />
          <Pager page={page} size={size} count={data.count} hasMore={data.hasMore} onPage={setPage} />
        </>
      )}
      <p className="small text-3">{t('webhooks.kept', { days: deliveryDays })}</p>
    </Dialog>
  )
}

function Tools({ row: { id } }: { row: Webhook }) {
  const t = useT()
  const [from, setFrom] = useState('')
  const test = useAct('POST /api/v4/webhooks/{id}/test', ['GET /api/v4/webhooks/{id}/deliveries'])
  const replay = useAct('POST /api/v4/webhooks/{id}/replay', ['GET /api/v4/webhooks/{id}/deliveries'])
  return (
    <div className="row webhook-tools">
      <Button icon={IconSend} onPress={() => test({ params: { id } })}>
        {t('webhooks.test')}
      </Button>
      <TextField
        id="webhook-from"
        label={t('webhooks.replayFrom')}
        type="date"
        value={from}
        onValue={setFrom}
      />
      <Button disabled={from === ''} onPress={() => replay({ params: { id }, body: { from } })}>
        {t('webhooks.replay')}
      </Button>
    </div>
  )
}

function DeliveryTable({ rows }: { rows: readonly WebhookDelivery[] }) {
  const t = useT()
  const columns: Column<WebhookDelivery>[] = [
    {
      name: 'event',
      label: t('webhooks.event'),
      phone: 'main',
      cell: ({ type, created_at: at }) => (
        <>
          <code>{type}</code>
          <span className="data-second">{moment(at)}</span>
        </>
      ),
    },
    {
      name: 'state',
      label: t('words.status'),
      phone: 'meta',
      width: '30%',
      cell: (row) => <State row={row} />,
    },
    {
      name: 'answer',
      label: t('webhooks.answer'),
      phone: 'hidden',
      width: '36%',
      cell: (row) => <AnswerOf row={row} />,
    },
  ]
  return <DataTable label={t('webhooks.deliveries')} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function State({ row: { state, attempts, nextAt } }: { row: WebhookDelivery }) {
  const t = useT()
  return (
    <>
      <span>{t(states[state])}</span>
      <span className="data-second">{t('webhooks.attempts', { count: attempts })}</span>
      {nextAt !== null && (
        <span className="data-second">{t('webhooks.nextAt', { moment: moment(nextAt) })}</span>
      )}
    </>
  )
}

function AnswerOf({ row: { status, error, answer, durationMs } }: { row: WebhookDelivery }) {
  const t = useT()
  return (
    <>
      <span>
        {status !== null && t('webhooks.answered', { status })}
        {error !== null && t(errors[error])}
      </span>
      {durationMs !== null && (
        <span className="data-second">{t('webhooks.took', { time: number(durationMs) })}</span>
      )}
      {answer !== null && answer !== '' && (
        <details>
          <summary>{t('webhooks.showAnswer')}</summary>
          <pre className="webhook-answer">{answer}</pre>
        </details>
      )}
    </>
  )
}
