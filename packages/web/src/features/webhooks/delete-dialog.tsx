import type { Webhook } from '@gatehouse/contract/webhooks/webhooks'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'

/** Deletes a webhook. */
export function DeleteDialog({ row, onClose }: { row: Webhook; onClose: () => void }) {
  const t = useT()
  const act = useAct('DELETE /api/v4/webhooks/{id}', ['GET /api/v4/webhooks'])
  const remove = async () => {
    await act({ params: { id: row.id } })
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('webhooks.deleteTitle', { name: row.name })}
      onClose={onClose}
      actions={[{ preset: 'delete', label: t('webhooks.delete'), onPress: remove }]}
    >
      <p>{t('webhooks.deleteText')}</p>
    </Dialog>
  )
}
