import { displayAddress } from '@gatehouse/contract/canonical-address'
import { type DirectoryKind, kinds } from '@gatehouse/contract/directory/kinds'
import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ObjectRemovalCost } from '../subscriptions/removal-cost.tsx'
import { useRemove } from './use-remove.ts'

/** What the deletion dialog needs to know. */
export interface Deletable {
  id: number
  name: string
  email: string
}

export interface DeleteDialogProps {
  kind: DirectoryKind
  object: Deletable
  /** What is lost by the deletion, besides the address. */
  loss: string
  onClose: () => void
}

/** Confirms a deletion: what is deleted, what it costs and saves, and how to restore it. */
export function DeleteDialog({ kind, object, loss, onClose }: DeleteDialogProps) {
  const t = useT()
  const remove = useRemove(kind, object.id)
  return (
    <Dialog
      open
      title={t('words.deleteTitle', { name: object.name })}
      onClose={onClose}
      cancelFocus
      actions={[
        {
          preset: 'delete',
          label: t('directory.deleteNow', { kind: kinds[kind].name }),
          busyLabel: t('words.deleting'),
          onPress: remove,
        },
      ]}
    >
      <ul className="dialog-effects">
        <li>{loss}</li>
        <li>{t('directory.deleteAddress', { email: displayAddress(object.email) })}</li>
        <li>
          <ObjectRemovalCost type={kinds[kind].skuType} id={object.id} />
        </li>
      </ul>
      <p>{t('directory.deleteBack')}</p>
    </Dialog>
  )
}
