import type { UserDetail } from '@gatehouse/contract/directory/users'
import { Delegates } from './delegates.tsx'
import { Delegators } from './delegators.tsx'
import './delegation.css'

/** A user's delegates and delegators. */
export function DelegationSections({ user }: { user: UserDetail }) {
  return (
    <div className="stack delegation-sections">
      <Delegates user={user} />
      <Delegators user={user} />
    </div>
  )
}
