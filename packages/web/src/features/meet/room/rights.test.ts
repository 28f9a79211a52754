import { meetRole } from '@gatehouse/contract/meetings/meet-rules'
import { expect, test } from 'vitest'
import { hasMenu, type PersonRights, rightsOn } from './rights.ts'

const guest = { id: 'guest', role: meetRole.publisher, raisedHand: false }
const other = { id: 'other', role: meetRole.publisher, raisedHand: false }
const listener = { id: 'listener', role: meetRole.subscriber, raisedHand: false }
const moderator = { id: 'mod', role: meetRole.publisher | meetRole.moderator, raisedHand: false }
const owner = {
  id: 'owner',
  role: meetRole.publisher | meetRole.moderator | meetRole.owner,
  raisedHand: false,
}

const entries = (rights: PersonRights) =>
  Object.entries(rights)
    .filter(([, right]) => right !== false && right !== 'absent')
    .map(([name, right]) => (typeof right === 'string' ? `${name}:${right}` : name))

test.each([
  ['a guest on another one', guest, other, []],
  ['a guest on an owner', guest, owner, []],
  ['a guest on oneself', guest, guest, ['rename']],
  ['a listener with a raised hand on another one', { ...listener, raisedHand: true }, other, []],
  [
    'a moderator on a guest',
    moderator,
    guest,
    ['publishing:usable', 'moderation:usable', 'language', 'mute', 'dismiss'],
  ],
  [
    'a moderator on a listener with a raised hand',
    moderator,
    { ...listener, raisedHand: true },
    ['publishing:usable', 'moderation:usable', 'lowerHand', 'dismiss'],
  ],
  ['a moderator on an owner', moderator, owner, ['askToMute']],
  [
    'a moderator on oneself',
    moderator,
    moderator,
    ['rename', 'publishing:usable', 'moderation:usable', 'language'],
  ],
  ['an owner on oneself', owner, owner, ['rename', 'publishing:usable', 'moderation:fixed', 'language']],
  ['an owner on another owner', owner, { ...owner, id: 'second' }, ['askToMute']],
  [
    'an owner on a moderator',
    owner,
    moderator,
    ['publishing:usable', 'moderation:usable', 'language', 'mute', 'dismiss'],
  ],
])('the menu of %s', (_case, me, target, expected) => {
  const rights = rightsOn(me, target)
  expect(entries(rights)).toEqual(expected)
  expect(hasMenu(rights)).toBe(expected.length > 0)
})
