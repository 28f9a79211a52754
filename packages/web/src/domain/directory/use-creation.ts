import { useUser } from '../../platform/session/auth.ts'
import { type OwnDomains, useOwnDomains } from '../domain-select/use-own-domains.ts'

/** Why nothing can be created right now: the account has to be paid, or a domain added or confirmed first. */
export type Obstacle = 'degraded' | 'unconfirmed' | 'noDomain'

export interface Creation {
  obstacle: Obstacle | undefined
  domains: OwnDomains
}

/** Whether the account can have another object, as far as is known. */
export function useCreation(): Creation {
  const user = useUser()
  const domains = useOwnDomains()
  if (user?.isDegraded || user?.isAccountDegraded) return { obstacle: 'degraded', domains }
  const isNone = domains.confirmed?.length === 0
  if (!isNone) return { obstacle: undefined, domains }
  return { obstacle: domains.isWaiting ? 'unconfirmed' : 'noDomain', domains }
}
