import { useQueryClient } from '@tanstack/react-query'
import type { OwnerRow } from '../../../domain/owners/owner-rows.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useActWith } from '../../../platform/api/use-act.ts'
import { navigation } from '../../../platform/navigation/navigation.ts'
import { useUser } from '../../../platform/session/auth.ts'
import { reloadUser } from '../../../platform/session/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'

export interface EndDialogProps {
  /** Number of the account's wallet. */
  id: string
  row: OwnerRow
  /** Address of the account's owner. */
  account: string
  onClose: () => void
}

/** Confirms removing an additional owner, leaving, or withdrawing an invitation or change of owner. */
export function EndDialog({ id, row, account, onClose }: EndDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const act = useActWith()
  const isSelf = useUser()?.id === row.userId
  const { email, invitation, userId } = row
  const isHandOver = row.role === 'given' || row.role === 'confirmed'
  const texts = isHandOver ? keep : invitation !== undefined ? withdraw : isSelf ? leave : remove
  const end = async () => {
    await act<{ message: string }>(() => {
      if (isHandOver) return call('DELETE /api/v4/wallets/{id}/owner', { params: { id } })
      if (invitation !== undefined)
        return call('DELETE /api/v4/wallets/{id}/invitations/{invitation}', { params: { id, invitation } })
      const params = { id, user: String(userId) }
      return call('DELETE /api/v4/wallets/{id}/controllers/{user}', { params })
    })
    if (!isSelf) return client.invalidateQueries({ queryKey: ['GET /api/v4/wallets/{id}/controllers'] })
    // the user may have lost access to this screen
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
const keep = { title: 'owners.keepTitle', text: 'owners.keepText', act: 'owners.keepDo' } as const
const leave = { title: 'owners.leaveTitle', text: 'owners.leaveText', act: 'owners.leaveDo' } as const
const withdraw = {
  title: 'owners.withdrawTitle',
  text: 'owners.withdrawText',
  act: 'owners.withdrawDo',
} as const
