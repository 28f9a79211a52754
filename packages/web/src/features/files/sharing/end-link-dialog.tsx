import type { FileLink } from '@gatehouse/contract/files/file-shares'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { type ActedItem, forgetFiles } from '../calls.ts'

export interface EndLinkDialogProps {
  item: ActedItem
  link: FileLink
  onClose: () => void
}

/** Asks before a link ends, for its address does not come back. */
export function EndLinkDialog({ item, link, onClose }: EndLinkDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const end = async () => {
    try {
      const params = { id: item.id, link: link.id }
      const { message } = await call('DELETE /api/v4/fs/{id}/links/{link}', { params })
      toasts.success(message)
    } finally {
      await forgetFiles(client)
    }
  }
  return (
    <Dialog
      open
      title={t('files.endLinkTitle')}
      onClose={onClose}
      cancelFocus
      actions={[
        { preset: 'delete', label: t('files.endLink'), busyLabel: t('files.deleting'), onPress: end },
      ]}
    >
      <p>{t('files.endLinkText', { name: item.name })}</p>
    </Dialog>
  )
}
