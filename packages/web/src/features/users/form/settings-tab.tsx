import type { UserDetail } from '@gatehouse/contract/directory/users'
import { useQuery } from '@tanstack/react-query'
import { loadMessages } from '../../../i18n/i18n.ts'
import { auth, hasPermission } from '../../../platform/session/auth.ts'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'

/** Whether the reader may change the configuration of a user. */
export function showsConfiguration(user: UserDetail): boolean {
  return user.canConfigure
}

/** Whether the reader may say who acts for a user: the user, and who controls the account. */
export function showsDelegation(user: UserDetail): boolean {
  return hasPermission('delegation') && (user.canConfigure || auth.get().user?.id === user.id)
}

/** Whether there is anything for the reader on the Settings tab of a user. */
export function hasSettings(user: UserDetail): boolean {
  return showsConfiguration(user) || showsDelegation(user)
}

/** The Settings tab of a user's page. Each part saves for itself; code and texts come when the tab is opened. */
export function SettingsTab({ user }: { user: UserDetail }) {
  const parts = useQuery({
    queryKey: ['settings tab'],
    queryFn: async () => {
      const [sections] = await Promise.all([
        import('../settings/settings-sections.tsx'),
        loadMessages('usersettings', 'countries'),
      ])
      return sections
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  if (parts.data) {
    const { SettingsSections } = parts.data
    return (
      <SettingsSections
        key={user.id}
        user={user}
        withConfiguration={showsConfiguration(user)}
        withDelegation={showsDelegation(user)}
      />
    )
  }
  if (parts.isPending) {
    return (
      <Panel flush>
        <SkeletonRows />
      </Panel>
    )
  }
  return <LoadFailed onRetry={parts.refetch} />
}
