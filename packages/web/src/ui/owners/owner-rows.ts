import type { Controllers } from '@gatehouse/contract/controllers'

/** Somebody who controls an account or is invited to. */
export interface OwnerRow {
  key: string
  role: 'owner' | 'controller' | 'invited'
  name: string
  email: string
  /** Absent: invited. */
  userId?: number
  /** Of an invitation: its number, and when it ends. */
  invitation?: string
  until?: string
}

/** The owners of an account, then those who are invited. */
export function ownerRows({ list, invitations }: Pick<Controllers, 'list' | 'invitations'>): OwnerRow[] {
  return [
    ...list.map(
      ({ id, email, name, isOwner }): OwnerRow => ({
        key: String(id),
        role: isOwner ? 'owner' : 'controller',
        ...{ name, email, userId: id },
      }),
    ),
    ...invitations.map(
      ({ id, email, expires_at: until }): OwnerRow => ({
        ...{ key: id, role: 'invited', name: email, email },
        ...{ invitation: id, until },
      }),
    ),
  ]
}
