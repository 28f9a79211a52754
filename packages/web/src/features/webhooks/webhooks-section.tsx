import type { Webhook } from '@gatehouse/contract/webhooks/webhooks'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { type WebhookAct, WebhookTable } from './webhook-table.tsx'
import './webhooks.css'

/** The open dialog. */
type Open = { act: 'create' } | { act: WebhookAct; row: Webhook }

/** The webhooks of the account, for its owner. */
export function WebhooksSection() {
  const t = useT()
  const [open, setOpen] = useState<Open>()
  const webhooks = useApi('GET /api/v4/webhooks', {}, { staleTime: 0 })
  const { data, error } = webhooks
  const title = t('words.webhooks')
  if (!data) {
    const isForOwner = error instanceof ApiError && error.status === 403
    return (
      <Panel flush title={title}>
        {webhooks.isPending && <SkeletonRows count={2} />}
        {isForOwner && <EmptyState title={t('webhooks.ownerOnly')}>{t('webhooks.ownerOnlyText')}</EmptyState>}
        {webhooks.isError && !isForOwner && (
          <div className="panel-body">
            <LoadFailed onRetry={webhooks.refetch} />
          </div>
        )}
      </Panel>
    )
  }
  const isFull = data.list.length >= data.limit
  const create = (
    <Button icon={IconPlus} disabled={isFull} onPress={() => setOpen({ act: 'create' })}>
      {t('webhooks.new')}
    </Button>
  )
  return (
    <div className="stack">
      <Panel flush title={title} actions={data.list.length > 0 && create}>
        {data.list.length === 0 ? (
          <EmptyState title={t('webhooks.none')} action={create}>
            {t('webhooks.noneText')}
          </EmptyState>
        ) : (
          <WebhookTable rows={data.list} onAct={(act, row) => setOpen({ act, row })} />
        )}
        {isFull && <p className="panel-body text-3 small">{t('webhooks.full', { limit: data.limit })}</p>}
      </Panel>
      <p className="text-3 small">
        {t('webhooks.about')} <a href="/api/docs">{t('webhooks.docs')}</a>
      </p>
      {open && <OpenDialog open={open} deliveryDays={data.deliveryDays} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

interface OpenDialogProps {
  open: Open
  deliveryDays: number
  onClose: () => void
}

function OpenDialog({ open, deliveryDays, onClose }: OpenDialogProps) {
  if (open.act === 'create') return <WebhookForm onClose={onClose} />
  const { row } = open
  if (open.act === 'change') return <WebhookForm row={row} onClose={onClose} />
  if (open.act === 'rotate') return <RotateDialog row={row} onClose={onClose} />
  if (open.act === 'delete') return <DeleteDialog row={row} onClose={onClose} />
  return <DeliveriesDialog row={row} deliveryDays={deliveryDays} onClose={onClose} />
}
