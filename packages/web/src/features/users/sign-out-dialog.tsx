import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { forgetLists } from './user-calls.ts'

/** Ends all sessions of another user, or locks the account of that one down. */
export function SignOutDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const t = useT()
  const client = useQueryClient()
  const [how, setHow] = useState('sessions')
  const end = async () => {
    const { message } =
      how === 'all'
        ? await call('POST /api/v4/lockdown', { body: { user: user.id } })
        : await call('POST /api/v4/users/{id}/sign-out', { params: { id: String(user.id) }, body: {} })
    toasts.success(message)
    forgetLists(client)
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('users.signOutTitle', { email: displayAddress(user.email) })}
      onClose={onClose}
      actions={[
        {
          preset: 'delete',
          icon: IconLogout,
          label: t(how === 'all' ? 'users.signOutAll' : 'users.signOutSessions'),
          onPress: end,
        },
      ]}
    >
      <Choices
        id="sign-out-how"
        name="how"
        label={t('users.signOutHow')}
        value={how}
        onValue={setHow}
        choices={[
          { value: 'sessions', label: t('users.signOutSessions'), text: t('users.signOutSessionsText') },
          { value: 'all', label: t('users.signOutAll'), text: t('users.signOutAllText') },
        ]}
      />
    </Dialog>
  )
}
