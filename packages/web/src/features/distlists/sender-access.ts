import { asciiDomain, canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { GroupConfig } from '@gatehouse/contract/directory/groups'
import type { MessageKey } from '../../i18n/areas.ts'

/** Who may send to a list, as shown in the form. */
export type Access = 'everyone' | 'organisation' | 'members' | 'chosen'

/** In display order. */
export const accesses: readonly Access[] = ['everyone', 'organisation', 'members', 'chosen']

export const accessLabels: Record<Access, MessageKey> = {
  everyone: 'words.everybody',
  organisation: 'distlists.organisation',
  members: 'words.members',
  chosen: 'distlists.chosen',
}

/** The stored form of a choice. */
export type StoredAccess = Readonly<GroupConfig>

/** Returns the choice that exactly matches the stored config; `chosen` if none of the others does. */
export function accessOf(
  { sender_policy: senders, members_may_send: withMembers }: StoredAccess,
  domains: readonly string[],
): Access {
  if (withMembers) return senders.length === 0 ? 'members' : 'chosen'
  if (senders.length === 0) return 'everyone'
  return isSame(senders, domains) ? 'organisation' : 'chosen'
}

/** Returns the config to store for a choice. */
export function storedAccess(access: Access, chosen: StoredAccess, domains: readonly string[]): GroupConfig {
  switch (access) {
    case 'everyone':
      return { sender_policy: [], members_may_send: false }
    case 'organisation':
      return { sender_policy: [...domains], members_may_send: false }
    case 'members':
      return { sender_policy: [], members_may_send: true }
    case 'chosen':
      return { sender_policy: [...chosen.sender_policy], members_may_send: chosen.members_may_send }
  }
}

/** Whether two lists have the same entries, regardless of order and case. */
function isSame(left: readonly string[], right: readonly string[]): boolean {
  const ofLeft = new Set(left.map(canonicalSender))
  const ofRight = new Set(right.map(canonicalSender))
  return ofLeft.size === ofRight.size && [...ofLeft].every((name) => ofRight.has(name))
}

function canonicalSender(text: string): string {
  return text.includes('@') ? canonicalAddress(text) : (asciiDomain(text) ?? text)
}
