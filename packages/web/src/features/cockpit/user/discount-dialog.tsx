import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail, StaffWallet } from '@gatehouse/contract/staff/staff-views'
import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { Select } from '../../../ui/fields/select.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { CommentDialog } from '../shared/comment-dialog.tsx'

export interface DiscountDialogProps {
  wallet: StaffWallet
  user: StaffUserDetail
  onClose: () => void
}

/** Assigns one of the tenant's discounts to a wallet, or removes it. */
export function DiscountDialog({ wallet, user, onClose }: DiscountDialogProps) {
  const t = useT()
  const act = useAct('PUT /api/v4/wallets/{id}', everything)
  const { data, isError, refetch } = useApi('GET /api/v4/users/{id}/discounts', {
    params: { id: String(user.id) },
  })
  const [chosen, setChosen] = useState(wallet.discount_id ?? '')
  const list = data?.list ?? []
  // a discount no longer offered stays in effect
  const held =
    wallet.discount_id !== null && !list.some(({ id }) => id === wallet.discount_id)
      ? [{ value: wallet.discount_id, label: `${wallet.discount}% - ${wallet.discount_description}` }]
      : []
  return (
    <CommentDialog
      title={t('customer.discountTitle', { name: displayAddress(user.email) })}
      effects={[t('customer.discountEffect')]}
      verb={t('dialog.save')}
      onClose={onClose}
      send={(comment) =>
        act({
          params: { id: wallet.id },
          body: { discount: chosen || null, comment },
        })
      }
    >
      {isError ? (
        <LoadFailed onRetry={refetch} />
      ) : (
        <Select
          id="act-discount"
          name="discount"
          label={t('words.discount')}
          value={chosen}
          onValue={setChosen}
          disabled={!data}
          options={[
            { value: '', label: t('customer.none') },
            ...held,
            ...list.map(({ id, label }) => ({ value: id, label })),
          ]}
        />
      )}
    </CommentDialog>
  )
}
