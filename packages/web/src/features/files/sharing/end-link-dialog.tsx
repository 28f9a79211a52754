import type { FileLink } from '@gatehouse/contract/files/file-shares'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../../i18n/i18n.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { type ActedItem, forgetFiles } from '../calls.ts'

export interface EndLinkDialogProps {
  item: ActedItem
  link: FileLink
  onClose: () => void
}

/** Confirms ending a link, whose URL can't be restored. */
export function EndLinkDialog({ item, link, onClose }: EndLinkDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const endLink = useAct('DELETE /api/v4/fs/{id}/links/{link}')
  const end = async () => {
    try {
      await endLink({ params: { id: item.id, link: link.id } })
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
        { preset: 'delete', label: t('files.endLink'), busyLabel: t('words.deleting'), onPress: end },
      ]}
    >
      <p>{t('files.endLinkText', { name: item.name })}</p>
    </Dialog>
  )
}
