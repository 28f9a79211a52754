import { displayAddress } from '@gatehouse/contract/canonical-address'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import type { DeletedAddress } from './use-deleted-address.ts'

const bold = { b: (words: string) => <b>{words}</b> }

export interface DeletedAddressDialogProps {
  offer: DeletedAddress
  /** The address is for an existing object. */
  adding?: boolean
  /** Resubmits the form. */
  onReleased: () => void
}

/** Asks what to do with the deleted object that has the requested address. */
export function DeletedAddressDialog({ offer, adding = false, onReleased }: DeletedAddressDialogProps) {
  const t = useT()
  const { held } = offer
  if (!held) return null
  const { holder } = held
  const facts = {
    type: holder.type,
    address: displayAddress(held.address),
    name: holder.type === 'user' ? displayAddress(holder.name) : holder.name,
    date: day(holder.deleted_at),
  }
  const erase = adding ? 'deletedaddress.eraseAndAddText' : 'deletedaddress.eraseText'
  return (
    <Dialog
      open
      title={t('deletedaddress.title', facts)}
      onClose={offer.close}
      cancelFocus
      actions={[
        {
          label: t(adding ? 'deletedaddress.releaseAndSave' : 'deletedaddress.release'),
          className: 'button-danger',
          onPress: () => offer.release(held).then(onReleased),
        },
        {
          label: t('words.restore'),
          className: 'button-primary',
          onPress: () => offer.restore(held),
        },
      ]}
    >
      <p>{t('deletedaddress.text', facts)}</p>
      <ul className="stack stack-tight">
        <li>{rich(t('deletedaddress.restoreText'), bold)}</li>
        <li>{rich(t(holder.isPrimary ? erase : 'deletedaddress.releaseText'), bold)}</li>
      </ul>
    </Dialog>
  )
}
