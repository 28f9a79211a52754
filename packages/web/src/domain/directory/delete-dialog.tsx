import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { offerUndo } from '../../ui/toasts/offer-undo.ts'
import { ObjectRemovalCost } from '../subscriptions/removal-cost.tsx'
import { forgetKind, type Kind } from './kind.ts'
import { useRestore } from './use-restore.ts'

/** What the question before a deletion has to know. */
export interface Deletable {
  id: number
  name: string
  email: string
}

export interface DeleteDialogProps {
  kind: Kind
  object: Deletable
  /** What a deletion takes away, besides the address. */
  loss: string
  onClose: () => void
}

/** Asks before an object is deleted: what goes, what it costs and saves, and how it comes back. */
export function DeleteDialog({ kind, object, loss, onClose }: DeleteDialogProps) {
  const t = useT()
  const remove = useRemove(kind, object)
  return (
    <Dialog
      open
      title={t('directory.deleteTitle', { name: object.name })}
      onClose={onClose}
      cancelFocus
      actions={[
        {
          preset: 'delete',
          label: t('directory.deleteNow', { kind: kind.name }),
          busyLabel: t('directory.deleting'),
          onPress: remove,
        },
      ]}
    >
      <ul className="dialog-effects">
        <li>{loss}</li>
        <li>{t('directory.deleteAddress', { email: displayAddress(object.email) })}</li>
        <li>
          <ObjectRemovalCost type={kind.skuType} id={object.id} />
        </li>
      </ul>
      <p>{t('directory.deleteBack')}</p>
    </Dialog>
  )
}

function useRemove(kind: Kind, { id }: Deletable): () => Promise<void> {
  const t = useT()
  const client = useQueryClient()
  const navigate = useNavigate()
  const restore = useRestore(kind)
  return async () => {
    const { message } = await kind.remove(id)
    offerUndo(message, t('directory.undo'), () => restore(id))
    forgetKind(client, kind, { later: true })
    await navigate({ to: kind.list, ignoreBlocker: true })
  }
}
