import type { PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import { isModerator, isOwner, isPublisher } from './roles.ts'

type Person = Pick<PeerInfo, 'id' | 'role'>

/** A toggle in a participant's menu: absent, or present and enabled or disabled. */
export type Switch = 'absent' | 'usable' | 'fixed'

/** Permitted actions on a participant; reference §1.15. The menu has exactly these entries. */
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

/**
 * Returns the menu of `target` as seen by `me`. Only moderators have a menu for others, and never for
 * owners.
 */
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

/** Whether there are any entries; otherwise there is no menu. */
export function hasMenu(rights: PersonRights): boolean {
  return Object.values(rights).some((right) => right === true || right === 'usable' || right === 'fixed')
}
