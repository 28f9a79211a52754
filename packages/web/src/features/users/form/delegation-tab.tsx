import type { UserDetail } from '@gatehouse/contract/directory/users'
import { auth, hasPermission } from '../../../platform/session/auth.ts'
import { LaterTab } from './later-tab.tsx'

/** Whether the reader may manage delegates: the user, and those who control the account. */
export function showsDelegation(user: UserDetail): boolean {
  return hasPermission('delegation') && (user.canConfigure || auth.get().user?.id === user.id)
}

/** The Delegation tab of a user's page. */
export function DelegationTab({ user }: { user: UserDetail }) {
  return (
    <LaterTab
      name="delegation"
      load={() => import('../delegation/delegation-sections.tsx')}
      messages={['usersettings', 'addresses']}
    >
      {({ DelegationSections }) => <DelegationSections key={user.id} user={user} />}
    </LaterTab>
  )
}
