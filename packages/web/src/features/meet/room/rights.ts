import type { PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import { isModerator, isOwner, isPublisher } from './roles.ts'

type Person = Pick<PeerInfo, 'id' | 'role'>

/** A switch in somebody's menu: absent, or there with whether it may be used. */
export type Switch = 'absent' | 'usable' | 'fixed'

/** What somebody may do to a participant; reference §1.15. A menu has exactly these entries. */
export interface PersonRights {
  rename: boolean
  publishing: Switch
  moderation: Switch
  language: boolean
  lowerHand: boolean
  askToMute: boolean
  mute: boolean
  dismiss: boolean
}

/** The menu of `target` as `me` sees it. Who is no moderator has none on others, and nobody touches an owner. */
export function rightsOn(me: Person, target: Person & { raisedHand: boolean }): PersonRights {
  const isSelf = me.id === target.id
  const moderates = isModerator(me)
  const isProtected = isOwner(target) && !isSelf
  const sends = isPublisher(target)
  const changes = moderates && !isProtected
  return {
    rename: isSelf,
    publishing: changes ? 'usable' : 'absent',
    moderation: changes ? (isOwner(target) ? 'fixed' : 'usable') : 'absent',
    language: changes && sends,
    lowerHand: moderates && !isSelf && target.raisedHand,
    askToMute: moderates && !isSelf && sends && isOwner(target),
    mute: changes && !isSelf && sends,
    dismiss: changes && !isSelf,
  }
}

/** Whether there is any entry at all: without one there is no menu. */
export function hasMenu(rights: PersonRights): boolean {
  return Object.values(rights).some((right) => right === true || right === 'usable' || right === 'fixed')
}
