import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FileItem } from '@gatehouse/contract/files/file-items'
import { useQuery } from '@tanstack/react-query'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { quotaQuery } from '../calls.ts'
import { useActs } from './acts.ts'
import type { DialogPlace } from './item-dialogs.tsx'

export interface DeleteDialogProps {
  items: readonly FileItem[]
  place: DialogPlace
  onClose: () => void
}

/** Confirms moving items to the trash: which ones, and until when they can be restored. */
export function DeleteDialog({ items, place, onClose }: DeleteDialogProps) {
  const t = useT()
  const { remove } = useActs()
  const quota = useQuery(quotaQuery())
  const [first] = items
  const count = items.length
  const folders = items.filter(({ type }) => type === 'collection').length
  const shared = items.filter(({ isShared }) => isShared).length
  const foreign = items.find(({ isOwner }) => !isOwner)
  return (
    <Dialog
      open
      title={
        count === 1
          ? t('words.deleteTitle', { name: first?.name ?? '' })
          : t('files.deleteMany', { count, number: number(count) })
      }
      onClose={onClose}
      cancelFocus
      actions={[
        {
          preset: 'delete',
          label: t('files.toTrash'),
          busyLabel: t('words.deleting'),
          onPress: () => remove(items, () => place.onGone?.(items)),
        },
      ]}
    >
      <ul className="dialog-effects">
        {folders > 0 && <li>{t('files.deleteFolders', { count: folders })}</li>}
        {shared > 0 && <li>{t('files.deleteShared', { count: shared })}</li>}
        {foreign?.owner && (
          <li>
            {t('files.deleteForeign', { name: foreign.owner.name || displayAddress(foreign.owner.email) })}
          </li>
        )}
        <li>
          {quota.data ? t('files.deleteBackDays', { days: quota.data.trash_days }) : t('files.deleteBack')}
        </li>
      </ul>
    </Dialog>
  )
}
