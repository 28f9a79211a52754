import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Controllers } from '@gatehouse/contract/directory/controllers'

/** A person who controls an account, is invited to, or is about to become its owner. */
export interface OwnerRow {
  key: string
  role: 'owner' | 'controller' | 'invited' | 'given' | 'confirmed'
  name: string
  email: string
  /** Absent if invited, or about to become the owner. */
  userId?: number
  /** Id of an invitation, and when it expires. */
  invitation?: string
  until?: string
}

/** Returns an account's owners, then a pending transfer, then invitations. */
export function ownerRows({ list, handOver, invitations }: Controllers): OwnerRow[] {
  const next: OwnerRow[] = handOver
    ? [
        {
          key: 'hand-over',
          role: handOver.isConfirmed ? 'confirmed' : 'given',
          ...{ name: displayAddress(handOver.email), email: displayAddress(handOver.email) },
          until: handOver.expires_at,
        },
      ]
    : []
  return [
    ...list.map(
      ({ id, email, name, isOwner }): OwnerRow => ({
        key: String(id),
        role: isOwner ? 'owner' : 'controller',
        ...{ name: displayAddress(name), email: displayAddress(email), userId: id },
      }),
    ),
    ...next,
    ...invitations.map(
      ({ id, email, expires_at: until }): OwnerRow => ({
        ...{ key: id, role: 'invited', name: displayAddress(email), email: displayAddress(email) },
        ...{ invitation: id, until },
      }),
    ),
  ]
}
