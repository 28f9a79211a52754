import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserListItem } from '@gatehouse/contract/directory/users'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useT } from '../../i18n/i18n.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { ActionMenu, type MenuAction } from '../../ui/buttons/action-menu.tsx'

/** Actions of a row's menu, besides opening the user. */
export type RowAct = 'suspend' | 'resume' | 'password-link' | 'delete'

export interface RowMenuProps {
  user: UserListItem
  onAct: (act: RowAct, user: UserListItem) => void
}

/** Menu of a user in the list, with only the permitted actions. */
export function RowMenu({ user, onAct }: RowMenuProps) {
  const t = useT()
  const navigate = useNavigate()
  const rights = user.facts?.rights
  const act = (name: RowAct) => () => onAct(name, user)
  const actions: (MenuAction | false | undefined)[] = [
    {
      label: t('users.edit'),
      icon: IconPencil,
      onPress: () => void navigate({ to: `/user/${user.id}` }),
    },
    rights?.canSendPasswordLink && {
      label: t('users.sendLink'),
      icon: IconKey,
      onPress: act('password-link'),
    },
    rights?.canSuspend && { label: t('bulk.suspend'), icon: IconPlayerPause, onPress: act('suspend') },
    rights?.canResume && { label: t('bulk.resume'), icon: IconCircleCheck, onPress: act('resume') },
    rights?.canDelete && {
      label: t('words.delete'),
      icon: IconTrash,
      danger: true,
      onPress: act('delete'),
    },
  ]
  return (
    <ActionMenu
      compact
      icon={IconDots}
      label={t('words.actionsFor', { name: displayAddress(user.email) })}
      actions={actions.filter((action) => action !== false && action !== undefined)}
    />
  )
}
