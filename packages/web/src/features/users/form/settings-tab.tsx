import type { UserDetail } from '@gatehouse/contract/directory/users'
import { LaterTab } from './later-tab.tsx'

/** The Settings tab of a user's page, for who may change the configuration. */
export function SettingsTab({ user }: { user: UserDetail }) {
  return (
    <LaterTab
      name="settings"
      load={() => import('../settings/configuration-forms.tsx')}
      messages={['usersettings', 'countries']}
    >
      {({ ConfigurationForms }) => <ConfigurationForms key={user.id} user={user} />}
    </LaterTab>
  )
}
