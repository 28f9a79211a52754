import type { TrashItem } from '@gatehouse/contract/files/file-history'
import { useQueryClient } from '@tanstack/react-query'
import { fileSize } from '../../../i18n/file-size.ts'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { forgetFiles } from '../calls.ts'

export interface EndDialogProps {
  items: readonly TrashItem[]
  onClose: () => void
}

/** Confirms the permanent deletion of items in the trash. */
export function EndDialog({ items, onClose }: EndDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const count = items.length
  const bytes = items.reduce((sum, { total_size }) => sum + total_size, 0)
  const end = async () => {
    try {
      let said = ''
      for (const { id } of items) {
        const { message } = await call('DELETE /api/v4/fs/trash/{id}', { params: { id } })
        said = message
      }
      toasts.success(said)
    } finally {
      await forgetFiles(client)
    }
  }
  return (
    <Dialog
      open
      title={
        count === 1
          ? t('files.endTitle', { name: items[0]?.name ?? '' })
          : t('files.endMany', { count, number: number(count) })
      }
      onClose={onClose}
      cancelFocus
      actions={[
        { preset: 'delete', label: t('files.deleteForGood'), busyLabel: t('words.deleting'), onPress: end },
      ]}
    >
      <p>{t('files.endText', { size: fileSize(bytes) })}</p>
    </Dialog>
  )
}

/** Confirms emptying the trash. */
export function EmptyTrashDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const t = useT()
  const client = useQueryClient()
  const emptyTrash = useAct('DELETE /api/v4/fs/trash')
  const empty = async () => {
    try {
      await emptyTrash()
    } finally {
      await forgetFiles(client)
    }
  }
  return (
    <Dialog
      open
      title={t('files.emptyTrashTitle')}
      onClose={onClose}
      cancelFocus
      actions={[
        { preset: 'delete', label: t('files.emptyTrash'), busyLabel: t('words.deleting'), onPress: empty },
      ]}
    >
      <p>{t('files.emptyTrashText', { count, number: number(count) })}</p>
    </Dialog>
  )
}
