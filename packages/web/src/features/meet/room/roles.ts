import { meetRole } from '@gatehouse/contract/meetings/meet-rules'
import type { PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'

type Roled = Pick<PeerInfo, 'role'>

export function isPublisher({ role }: Roled): boolean {
  return (role & meetRole.publisher) !== 0
}

export function isModerator({ role }: Roled): boolean {
  return (role & meetRole.moderator) !== 0
}

export function isOwner({ role }: Roled): boolean {
  return (role & meetRole.owner) !== 0
}

/** A publisher who interprets into a language: shown as a name, heard by those who chose the channel. */
export function isInterpreter({ role, language }: Pick<PeerInfo, 'role' | 'language'>): boolean {
  return language !== null && isPublisher({ role })
}
