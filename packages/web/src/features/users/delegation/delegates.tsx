import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Delegation } from '@gatehouse/contract/directory/delegation'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { useAct } from '../../../platform/api/use-act.ts'
import { useAsked } from '../../../platform/navigation/use-asked.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { DelegateDialog } from './delegate-dialog.tsx'
import { delegateValues, delegationInput } from './delegation-rights.ts'
import { DelegationTable } from './delegation-table.tsx'
import { usePersonName } from './person-name.ts'

/** The open dialog: a new delegate, an edited one, or a removal. */
type Open = { act: 'add' } | { act: 'edit' | 'remove'; row: Delegation }

/** Delegates of a user, with their rights. */
export function Delegates({ user }: { user: UserDetail }) {
  const t = useT()
  const who = usePersonName(user)
  const [opened, setOpened] = useState<Open>()
  const [isAsked, forgetAsked] = useAsked('add')
  const params = { id: String(user.id) }
  const delegates = useApi('GET /api/v4/users/{id}/delegations', { params })
  const rows = delegates.data?.list
  const open: Open | undefined = opened ?? (isAsked && user.canDelegate && rows ? { act: 'add' } : undefined)
  const close = () => {
    setOpened(undefined)
    forgetAsked()
  }
  const add = user.canDelegate && (
    <Button icon={IconPlus} onPress={() => setOpened({ act: 'add' })}>
      {t('usersettings.add')}
    </Button>
  )
  return (
    <Panel flush title={t('usersettings.delegates', who)} actions={rows && rows.length > 0 && add}>
      {rows?.length === 0 && (
        <EmptyState title={t('usersettings.noDelegates', who)} action={add}>
          {t('usersettings.noDelegatesText', who)}
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <DelegationTable
          label={t('usersettings.delegates', who)}
          rows={rows}
          sender={() => user.email}
          actions={(row) => (
            <RowActions
              row={row}
              onEdit={user.canDelegate ? () => setOpened({ act: 'edit', row }) : undefined}
              onRemove={() => setOpened({ act: 'remove', row })}
            />
          )}
        />
      )}
      {delegates.isPending && <SkeletonRows count={2} />}
      {delegates.isError && !rows && (
        <div className="panel-body">
          <LoadFailed onRetry={delegates.refetch} />
        </div>
      )}
      {open && open.act !== 'remove' && (
        <DelegateDialog
          user={user}
          delegate={open.act === 'edit' ? open.row : undefined}
          known={rows?.map(({ email }) => email) ?? []}
          onClose={close}
        />
      )}
      {open?.act === 'remove' && <RemoveDialog user={user} row={open.row} onClose={close} />}
    </Panel>
  )
}

interface RowActionsProps {
  row: Delegation
  /** Undefined: the reader may only remove. */
  onEdit: (() => void) | undefined
  onRemove: () => void
}

function RowActions({ row: { name }, onEdit, onRemove }: RowActionsProps) {
  const t = useT()
  return (
    <span className="row delegation-actions">
      {onEdit && (
        <Button
          variant="quiet"
          size="small"
          icon={IconPencil}
          label={t('usersettings.edit', { name })}
          onPress={onEdit}
        />
      )}
      <Button
        variant="quiet"
        size="small"
        icon={IconTrash}
        label={t('words.removeOne', { name })}
        onPress={onRemove}
      />
    </span>
  )
}

function RemoveDialog({ user, row, onClose }: { user: UserDetail; row: Delegation; onClose: () => void }) {
  const t = useT()
  const act = useAct('DELETE /api/v4/users/{id}/delegations/{email}', ['GET /api/v4/users/{id}/delegations'])
  const who = usePersonName(user)
  const remove = async () => {
    const params = { id: String(user.id), email: row.email }
    // only who may add delegates can bring one back
    const undo = () =>
      call('POST /api/v4/users/{id}/delegations', {
        params: { id: params.id },
        body: { email: row.email, options: delegationInput(delegateValues(row.email, row.options)) },
      })
    await act({ params }, { undo: user.canDelegate ? undo : undefined })
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('usersettings.removeTitle', { name: row.name })}
      onClose={onClose}
      actions={[{ preset: 'delete', label: t('usersettings.removeDo'), onPress: remove }]}
    >
      <p>{t('usersettings.removeText', { ...who, email: displayAddress(row.email) })}</p>
    </Dialog>
  )
}
