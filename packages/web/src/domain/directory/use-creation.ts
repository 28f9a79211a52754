import { useUser } from '../../platform/session/auth.ts'
import { type OwnDomains, useOwnDomains } from '../domain-select/use-own-domains.ts'

/** Why nothing can be created now: the account must pay, or a domain must be added or confirmed first. */
export type Obstacle = 'degraded' | 'unconfirmed' | 'noDomain'

export interface Creation {
  obstacle: Obstacle | undefined
  domains: OwnDomains
}

/** Whether the account can have another object, as far as known. */
export function useCreation(): Creation {
  const user = useUser()
  const domains = useOwnDomains()
  if (user?.isDegraded || user?.isAccountDegraded) return { obstacle: 'degraded', domains }
  const isNone = domains.confirmed?.length === 0
  if (!isNone) return { obstacle: undefined, domains }
  return { obstacle: domains.isWaiting ? 'unconfirmed' : 'noDomain', domains }
}
