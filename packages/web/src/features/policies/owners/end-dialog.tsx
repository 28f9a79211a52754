import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../app/api.ts'
import { useUser } from '../../../app/auth.ts'
import { navigation } from '../../../app/navigation.ts'
import { reloadUser } from '../../../app/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OwnerRow } from '../../../ui/owners/owner-rows.ts'
import { toasts } from '../../../ui/toasts/store.ts'

export interface EndDialogProps {
  /** The number of the account's wallet. */
  id: string
  row: OwnerRow
  /** The address of the account's owner. */
  account: string
  onClose: () => void
}

/** Asks before an additional owner is removed or leaves, or an invitation is withdrawn. */
export function EndDialog({ id, row, account, onClose }: EndDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const isSelf = useUser()?.id === row.userId
  const { email, invitation } = row
  const texts = invitation === undefined ? (isSelf ? leave : remove) : withdraw
  const end = async () => {
    const { message } =
      invitation === undefined
        ? await call('DELETE /api/v4/wallets/{id}/controllers/{user}', {
            params: { id, user: String(row.userId) },
          })
        : await call('DELETE /api/v4/wallets/{id}/invitations/{invitation}', { params: { id, invitation } })
    toasts.success(message)
    if (!isSelf) return client.invalidateQueries({ queryKey: ['GET /api/v4/wallets/{id}/controllers'] })
    // this screen may be closed to the person now
    navigation().go('/dashboard')
    await reloadUser()
    await client.invalidateQueries({ refetchType: 'none' })
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t(texts.title, { email, account })}
      onClose={onClose}
      actions={[{ preset: 'delete', label: t(texts.act), onPress: end }]}
    >
      <p>{t(texts.text, { email, account })}</p>
    </Dialog>
  )
}

const remove = { title: 'owners.removeTitle', text: 'owners.removeText', act: 'owners.removeDo' } as const
const leave = { title: 'owners.leaveTitle', text: 'owners.leaveText', act: 'owners.leaveDo' } as const
const withdraw = {
  title: 'owners.withdrawTitle',
  text: 'owners.withdrawText',
  act: 'owners.withdrawDo',
} as const
