import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { everything, useActWith } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CommentDialog } from '../shared/comment-dialog.tsx'
import { Deletion } from '../shared/deletion.tsx'
import { Suspension } from '../shared/suspension.tsx'
import { LoginAsDialog } from './login-as-dialog.tsx'

/** Actions on a user as a whole; a button is shown exactly when its API call is allowed. */
export function CustomerActions({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const act = useActWith(everything)
  const [asked, setAsked] = useState<'resync' | 'signOut' | 'login'>()
  const close = () => setAsked(undefined)
  const { canResync, canSignOut, canLoginAs, canSuspend, canUnsuspend } = user.staffRights
  return (
    <>
      {canResync && (
        <Button icon={IconRefresh} onPress={() => setAsked('resync')}>
          {t('words.resync')}
        </Button>
      )}
      {canSignOut && (
        <Button icon={IconLogout} onPress={() => setAsked('signOut')}>
          {t('words.logOutEverywhere')}
        </Button>
      )}
      <Suspension
        kind="users"
        id={user.id}
        name={displayAddress(user.email)}
        rights={{ canSuspend, canUnsuspend }}
        reason={user.suspension_reason}
      />
      {canLoginAs && (
        <Button icon={IconLogin2} onPress={() => setAsked('login')}>
          {t('customer.loginAs')}
        </Button>
      )}
      <Deletion
        kind="users"
        id={user.id}
        name={displayAddress(user.email)}
        rights={user.staffRights}
        isAccount={user.owner?.id === user.id}
      />
      {asked === 'resync' && (
        <CommentDialog
          title={t('customer.resyncTitle', { name: displayAddress(user.email) })}
          effects={[t('customer.resyncEffect')]}
          verb={t('words.resync')}
          onClose={close}
          send={(comment) =>
            act(() =>
              call('POST /api/v4/users/{id}/resync', { params: { id: String(user.id) }, body: { comment } }),
            )
          }
        />
      )}
      {asked === 'signOut' && (
        <CommentDialog
          title={t('customer.signOutTitle', { name: displayAddress(user.email) })}
          effects={[t('customer.signOutEffect')]}
          verb={t('words.logOut')}
          onClose={close}
          send={(comment) =>
            act(() =>
              call('POST /api/v4/users/{id}/sign-out @staff', {
                params: { id: String(user.id) },
                body: { comment },
              }),
            )
          }
        />
      )}
      {asked === 'login' && <LoginAsDialog user={user} onClose={close} />}
    </>
  )
}
