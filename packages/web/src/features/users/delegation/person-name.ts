import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import { useUser } from '../../../platform/session/auth.ts'

/** Text parameters for a user: by name, or as "you" for the user themselves. */
export function usePersonName({ id, email, settings }: UserDetail): { self: 'yes' | 'no'; person: string } {
  const reader = useUser()
  const name = [settings.first_name, settings.last_name].filter(Boolean).join(' ')
  return { self: reader?.id === id ? 'yes' : 'no', person: name || displayAddress(email) }
}
