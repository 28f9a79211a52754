import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Controllers } from '@gatehouse/contract/directory/controllers'

/** Somebody who controls an account or is invited to, or whom the account is about to be handed to. */
export interface OwnerRow {
  key: string
  role: 'owner' | 'controller' | 'invited' | 'given' | 'confirmed'
  name: string
  email: string
  /** Absent: invited, or about to become the owner. */
  userId?: number
  /** Of an invitation: its number, and when it ends. */
  invitation?: string
  until?: string
}

/** The owners of an account, then a change of owner that is under way, then those who are invited. */
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
