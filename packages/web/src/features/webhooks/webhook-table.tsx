import type { PauseReason, Webhook } from '@gatehouse/contract/webhooks/webhooks'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Tag } from '../../ui/page/panel.tsx'

const reasons = {
  owner: 'webhooks.pausedByOwner',
  failing: 'webhooks.pausedByFailing',
  gone: 'webhooks.pausedByGone',
  operator: 'webhooks.pausedByOperator',
} as const satisfies Record<PauseReason, MessageKey>

/** Acts with a dialog. */
export type WebhookAct = 'change' | 'rotate' | 'delete' | 'deliveries'

export interface WebhookTableProps {
  rows: readonly Webhook[]
  onAct: (act: WebhookAct, row: Webhook) => void
}

/** Webhooks with their state. */
export function WebhookTable({ rows, onAct }: WebhookTableProps) {
  const t = useT()
  const columns: Column<Webhook>[] = [
    { name: 'name', label: t('words.name'), phone: 'main', cell: (row) => <Name row={row} /> },
    {
      name: 'state',
      label: t('words.status'),
      phone: 'meta',
      width: '26%',
      cell: (row) => <State row={row} />,
    },
    {
      name: 'actions',
      label: t('words.actions'),
      align: 'end',
      width: '216px',
      phone: 'aside',
      cell: (row) => <RowActions row={row} onAct={onAct} />,
    },
  ]
  return <DataTable label={t('words.webhooks')} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function Name({ row }: { row: Webhook }) {
  const t = useT()
  return (
    <>
      <span className="row">
        <span className="medium truncate">{row.name}</span>
        {row.paused && <Tag>{t('webhooks.pausedTag')}</Tag>}
      </span>
      <span className="data-second truncate">{row.url}</span>
      <span className="data-second">
        {row.types.length === 0
          ? t('webhooks.allEvents')
          : t('webhooks.someEvents', { count: row.types.length })}
      </span>
    </>
  )
}

function State({ row: { paused, failingSince } }: { row: Webhook }) {
  const t = useT()
  if (paused) {
    return (
      <>
        <span>{t(reasons[paused.reason])}</span>
        <span className="data-second">{moment(paused.at)}</span>
      </>
    )
  }
  if (failingSince !== null)
    return <span>{t('webhooks.failingSince', { moment: moment(failingSince) })}</span>
  return <span>{t('words.active')}</span>
}

function RowActions({ row, onAct }: { row: Webhook } & Pick<WebhookTableProps, 'onAct'>) {
  const t = useT()
  const { id, name, paused } = row
  const pause = useAct('POST /api/v4/webhooks/{id}/pause', ['GET /api/v4/webhooks'])
  const resume = useAct('POST /api/v4/webhooks/{id}/resume', ['GET /api/v4/webhooks'])
  const act = paused ? resume : pause
  const quiet = { variant: 'quiet', size: 'small' } as const
  return (
    <span className="row webhook-actions">
      <Button
        {...quiet}
        icon={IconHistory}
        label={t('webhooks.deliveriesOf', { name })}
        onPress={() => onAct('deliveries', row)}
      />
      <Button
        {...quiet}
        icon={paused ? IconPlayerPlay : IconPlayerPause}
        label={t(paused ? 'webhooks.resumeOne' : 'webhooks.pauseOne', { name })}
        onPress={() => act({ params: { id } })}
      />
      <Button
        {...quiet}
        icon={IconPencil}
        label={t('webhooks.change', { name })}
        onPress={() => onAct('change', row)}
      />
      <Button
        {...quiet}
        icon={IconRefresh}
        label={t('webhooks.rotateOne', { name })}
        onPress={() => onAct('rotate', row)}
      />
      <Button
        {...quiet}
        icon={IconTrash}
        label={t('webhooks.deleteOne', { name })}
        onPress={() => onAct('delete', row)}
      />
    </span>
  )
}
