import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { forgetLists } from './user-calls.ts'

/** Ends all sessions of another user, or locks down their account. */
export function SignOutDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const t = useT()
  const act = useActWith(forgetLists)
  const [how, setHow] = useState('sessions')
  const end = () =>
    act<{ message: string }>(() =>
      how === 'all'
        ? call('POST /api/v4/lockdown', { body: { user: user.id } })
        : call('POST /api/v4/users/{id}/sign-out', { params: { id: String(user.id) }, body: {} }),
    )
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
