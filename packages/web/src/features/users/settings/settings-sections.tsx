import type { UserDetail } from '@gatehouse/contract/directory/users'
import { ConfigurationForms } from './configuration-forms.tsx'
import { Delegates } from './delegates.tsx'
import { Delegators } from './delegators.tsx'
import './settings.css'

export interface SettingsSectionsProps {
  user: UserDetail
  withConfiguration: boolean
  withDelegation: boolean
}

/** The parts of the Settings tab that the reader may use. */
export function SettingsSections({ user, withConfiguration, withDelegation }: SettingsSectionsProps) {
  return (
    <div className="stack settings-sections">
      {withConfiguration && <ConfigurationForms user={user} />}
      {withDelegation && (
        <>
          <Delegates user={user} />
          <Delegators user={user} />
        </>
      )}
    </div>
  )
}
