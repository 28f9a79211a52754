import { asciiDomain, canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { GroupConfig } from '@gatehouse/contract/directory/groups'
import type { MessageKey } from '../../i18n/areas.ts'

/** Who may send to a list, as people think of it. */
export type Access = 'everyone' | 'organisation' | 'members' | 'chosen'

/** The choices in the order of the screen. */
export const accesses: readonly Access[] = ['everyone', 'organisation', 'members', 'chosen']

export const accessLabels: Record<Access, MessageKey> = {
  everyone: 'words.everybody',
  organisation: 'distlists.organisation',
  members: 'words.members',
  chosen: 'distlists.chosen',
}

/** What is stored of it. */
export type StoredAccess = Readonly<GroupConfig>

/** The choice that says exactly what is stored; `chosen` for what none of the others says. */
export function accessOf(
  { sender_policy: senders, members_may_send: withMembers }: StoredAccess,
  domains: readonly string[],
): Access {
  if (withMembers) return senders.length === 0 ? 'members' : 'chosen'
  if (senders.length === 0) return 'everyone'
  return isSame(senders, domains) ? 'organisation' : 'chosen'
}

/** What is stored for a choice. */
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

/** Whether two lists name the same, in whatever order and spelling. */
function isSame(left: readonly string[], right: readonly string[]): boolean {
  const ofLeft = new Set(left.map(canonicalSender))
  const ofRight = new Set(right.map(canonicalSender))
  return ofLeft.size === ofRight.size && [...ofLeft].every((name) => ofRight.has(name))
}

function canonicalSender(text: string): string {
  return text.includes('@') ? canonicalAddress(text) : (asciiDomain(text) ?? text)
}
