import type { AppPassword } from '@gatehouse/contract/sessions/app-passwords'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useId, useState } from 'react'
import { MakeDialog } from '../../domain/app-passwords/make-dialog.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { AppPasswordTable } from './app-password-table.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import './app-passwords.css'

/** The open dialog. */
type Open = { act: 'make' } | { act: 'rename' | 'delete'; row: AppPassword }

/** App passwords, for programs that don't support a second factor. */
export function AppPasswordsSection() {
  const t = useT()
  const [open, setOpen] = useState<Open>()
  const passwords = useApi('GET /api/v4/app-passwords')
  const { data } = passwords
  const rows = data?.list ?? []
  const close = () => setOpen(undefined)
  const fullId = useId()
  const isFull = data !== undefined && data.count >= data.limit
  const make = (
    <Button
      icon={IconPlus}
      disabled={isFull}
      aria-describedby={isFull ? fullId : undefined}
      onPress={() => setOpen({ act: 'make' })}
    >
      {t('words.newAppPassword')}
    </Button>
  )
  return (
    <div className="stack">
      {data && <Rule isAccountPasswordAccepted={data.isAccountPasswordAccepted} />}
      <Panel flush title={t('words.appPasswords')} actions={rows.length > 0 && make}>
        {data && rows.length === 0 && (
          <EmptyState title={t('apppasswords.none')} action={make}>
            {t('apppasswords.noneText')}
          </EmptyState>
        )}
        {rows.length > 0 && (
          <AppPasswordTable
            rows={rows}
            actions={(row) => (
              <RowActions
                row={row}
                onRename={() => setOpen({ act: 'rename', row })}
                onDelete={() => setOpen({ act: 'delete', row })}
              />
            )}
          />
        )}
        {passwords.isPending && <SkeletonRows count={2} />}
        {passwords.isError && !data && (
          <div className="panel-body">
            <LoadFailed onRetry={passwords.refetch} />
          </div>
        )}
      </Panel>
      {data && isFull && (
        <p className="text-3 small" id={fullId}>
          {t('apppasswords.full', { limit: data.limit })}
        </p>
      )}
      {open?.act === 'make' && <MakeDialog onClose={close} />}
      {open?.act === 'rename' && <RenameDialog row={open.row} onClose={close} />}
      {open?.act === 'delete' && <DeleteDialog row={open.row} onClose={close} />}
    </div>
  )
}

/** Explains which password programs need. */
function Rule({ isAccountPasswordAccepted }: { isAccountPasswordAccepted: boolean }) {
  const t = useT()
  if (isAccountPasswordAccepted) {
    return <Note title={t('apppasswords.bothTitle')}>{t('apppasswords.bothText')}</Note>
  }
  return (
    <Note tone="warning" title={t('apppasswords.onlyTitle')}>
      {t('apppasswords.onlyText')}
    </Note>
  )
}

interface RowActionsProps {
  row: AppPassword
  onRename: () => void
  onDelete: () => void
}

function RowActions({ row: { name }, onRename, onDelete }: RowActionsProps) {
  const t = useT()
  return (
    <span className="row app-password-actions">
      <Button
        variant="quiet"
        size="small"
        icon={IconPencil}
        label={t('apppasswords.rename', { name })}
        onPress={onRename}
      />
      <Button
        variant="quiet"
        size="small"
        icon={IconTrash}
        label={t('apppasswords.delete', { name })}
        onPress={onDelete}
      />
    </span>
  )
}

function DeleteDialog({ row, onClose }: { row: AppPassword; onClose: () => void }) {
  const t = useT()
  const act = useAct('DELETE /api/v4/app-passwords/{id}', ['GET /api/v4/app-passwords'])
  const remove = async () => {
    await act({ params: { id: row.id } })
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('apppasswords.deleteTitle', { name: row.name })}
      onClose={onClose}
      actions={[{ preset: 'delete', label: t('apppasswords.deleteDo'), onPress: remove }]}
    >
      <p>{t('apppasswords.deleteText')}</p>
    </Dialog>
  )
}
