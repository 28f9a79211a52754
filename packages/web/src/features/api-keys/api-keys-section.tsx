import type { ApiKey, ApiKeyKind } from '@gatehouse/contract/sessions/api-keys'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { ApiKeyTable } from '../../domain/api-keys/api-key-table.tsx'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import type { Answer } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import './api-keys.css'

/** The open dialog. */
type Open = { act: 'create'; kind: ApiKeyKind } | { act: 'change' | 'rotate' | 'revoke'; row: ApiKey }

type Keys = Answer<'GET /api/v4/api-keys'>

/** A person's own API keys, and for controllers those of the account. */
export function ApiKeysSection() {
  const t = useT()
  const [open, setOpen] = useState<Open>()
  const keys = useApi('GET /api/v4/api-keys')
  const { data } = keys
  if (!data) {
    return (
      <Panel flush title={t('words.apiKeys')}>
        {keys.isPending && <SkeletonRows count={2} />}
        {keys.isError && (
          <div className="panel-body">
            <LoadFailed onRetry={keys.refetch} />
          </div>
        )}
      </Panel>
    )
  }
  return (
    <div className="stack">
      <KeyPanel kind="personal" rows={data.list} limit={data.limit} canCreate canChange onOpen={setOpen} />
      {data.account && (
        <KeyPanel
          kind="account"
          rows={data.account.list}
          limit={data.limit}
          canCreate={data.account.canCreate}
          canChange={data.account.canCreate}
          onOpen={setOpen}
        />
      )}
      <p className="text-3 small">
        {t('apikeys.rate', { requests: number(data.requestsPerMinute) })}{' '}
        <a href="/api/docs">{t('apikeys.docs')}</a>
      </p>
      {open && <OpenDialog open={open} keys={data} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

interface KeyPanelProps {
  kind: ApiKeyKind
  rows: readonly ApiKey[]
  limit: number
  canCreate: boolean
  /** False: the reader can only revoke keys. */
  canChange: boolean
  onOpen: (open: Open) => void
}

const panelTexts = {
  personal: { title: 'apikeys.own', none: 'apikeys.none', text: 'apikeys.noneText' },
  account: { title: 'apikeys.ofAccount', none: 'apikeys.accountNone', text: 'apikeys.accountText' },
} as const

function KeyPanel({ kind, rows, limit, canCreate, canChange, onOpen }: KeyPanelProps) {
  const t = useT()
  const texts = panelTexts[kind]
  const title = t(texts.title)
  const isFull = rows.length >= limit
  const create = canCreate && (
    <Button icon={IconPlus} disabled={isFull} onPress={() => onOpen({ act: 'create', kind })}>
      {t(kind === 'account' ? 'apikeys.newOfAccount' : 'apikeys.new')}
    </Button>
  )
  return (
    <Panel flush title={title} actions={rows.length > 0 && create}>
      {rows.length === 0 ? (
        <EmptyState title={t(texts.none)} action={create || undefined}>
          {t(texts.text)}
        </EmptyState>
      ) : (
        <ApiKeyTable
          label={title}
          rows={rows}
          actions={(row) => <RowActions row={row} canChange={canChange} onOpen={onOpen} />}
        />
      )}
      {isFull && <p className="panel-body text-3 small">{t('apikeys.full', { limit })}</p>}
    </Panel>
  )
}

interface RowActionsProps {
  row: ApiKey
  canChange: boolean
  onOpen: (open: Open) => void
}

function RowActions({ row, canChange, onOpen }: RowActionsProps) {
  const t = useT()
  const { name } = row
  return (
    <span className="row api-key-actions">
      {canChange && (
        <>
          <Button
            variant="quiet"
            size="small"
            icon={IconPencil}
            label={t('apikeys.change', { name })}
            onPress={() => onOpen({ act: 'change', row })}
          />
          <Button
            variant="quiet"
            size="small"
            icon={IconRefresh}
            label={t('apikeys.rotateOne', { name })}
            onPress={() => onOpen({ act: 'rotate', row })}
          />
        </>
      )}
      <Button
        variant="quiet"
        size="small"
        icon={IconTrash}
        label={t('apikeys.revokeOne', { name })}
        onPress={() => onOpen({ act: 'revoke', row })}
      />
    </span>
  )
}

function OpenDialog({ open, keys, onClose }: { open: Open; keys: Keys; onClose: () => void }) {
  const { groups, maxDays } = keys
  if (open.act === 'create') {
    return <CreateDialog kind={open.kind} groups={groups} maxDays={maxDays} onClose={onClose} />
  }
  const { row } = open
  if (open.act === 'change') return <ChangeDialog row={row} onClose={onClose} />
  if (open.act === 'rotate') return <RotateDialog row={row} maxDays={maxDays} onClose={onClose} />
  return <RevokeDialog row={row} onClose={onClose} />
}

function RevokeDialog({ row, onClose }: { row: ApiKey; onClose: () => void }) {
  const t = useT()
  const act = useAct('DELETE /api/v4/api-keys/{id}', ['GET /api/v4/api-keys'])
  const revoke = async () => {
    await act({ params: { id: row.id } })
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('apikeys.revokeTitle', { name: row.name })}
      onClose={onClose}
      actions={[{ preset: 'delete', label: t('apikeys.revoke'), onPress: revoke }]}
    >
      <p>{t('apikeys.revokeText')}</p>
    </Dialog>
  )
}
