import { meetRole } from '@gatehouse/contract/meetings/meet-rules'
import type { NotificationData, NotificationMethod } from '@gatehouse/contract/meetings/meet-signalling'
import { describe, expect, test } from 'vitest'
import type { Notification } from '../signalling/signalling-client.ts'
import { knock, meeting, message, peer } from './room.test-data.ts'
import { peerOf, reduceRoom } from './room-reducer.ts'
import { emptyRoom, type RoomEvent, type RoomState } from './room-state.ts'
import { channels, chatGroups, handQueue, inNames, loudnessOf, onStage } from './room-views.ts'

const entered = (more = {}) => reduceRoom(emptyRoom, { type: 'state', state: meeting(more) })
// a generic call loses the mapping of methods to data
const tell = <M extends NotificationMethod>(room: RoomState, method: M, data: NotificationData<M>) =>
  reduceRoom(room, { type: 'notification', notification: { method, data } as Notification })
const act = (room: RoomState, event: RoomEvent) => reduceRoom(room, event)
const interpreter = (id: string, language: string) => peer(id, { language })

describe('people', () => {
  test('reports people who join and leave', () => {
    const came = tell(entered(), 'newPeer', peer('tim'))
    expect(came.peers.map(({ id }) => id)).toEqual(['me', 'jane', 'tim'])
    expect(came.happened).toMatchObject({ kind: 'came', nickname: 'TIM' })
    const gone = tell(came, 'peerClosed', { peerId: 'tim', reason: 'kicked' })
    expect(gone.peers.map(({ id }) => id)).toEqual(['me', 'jane'])
    expect(gone.happened).toMatchObject({ kind: 'kicked', nickname: 'TIM' })
    expect(gone.happened?.id).toBeGreaterThan(came.happened?.id ?? 0)
  })

  test('ignores a duplicate join', () => {
    const room = tell(entered(), 'newPeer', peer('jane', { nickname: 'Jane F.' }))
    expect(room.peers).toHaveLength(2)
    expect(peerOf(room, 'jane')?.nickname).toBe('Jane F.')
  })

  test('ignores events about absent people', () => {
    const room = entered()
    expect(tell(room, 'peerClosed', { peerId: 'nobody', reason: 'left' })).toEqual(room)
    expect(tell(room, 'changeRole', { peerId: 'nobody', role: 2 })).toEqual(room)
    expect(tell(room, 'changeRaisedHand', { peerId: 'nobody', raisedHand: true, raisedAt: null })).toEqual(
      room,
    )
  })

  test('shows a broken socket at the person', () => {
    const room = tell(entered(), 'changeConnection', { peerId: 'jane', isConnected: false })
    expect(peerOf(room, 'jane')?.isConnected).toBe(false)
  })

  test('applies a new name to earlier messages', () => {
    const room = entered({ chat: [message(1, 'jane'), message(2, 'me')] })
    const { chat, peers } = tell(room, 'changeNickname', {
      peerId: 'jane',
      nickname: 'Jane',
      isVerified: true,
    })
    expect(chat.map(({ nickname }) => nickname)).toEqual(['Jane', 'ME'])
    expect(peers[1]).toMatchObject({ nickname: 'Jane', isVerified: true })
  })
})

describe('roles', () => {
  test("reports the user's own promotion and demotion, and lowers their hand", () => {
    const listener = peer('me', { role: meetRole.subscriber, raisedHand: true, raisedAt: '1' })
    const room = entered({ peers: [listener] })
    const up = tell(room, 'changeRole', { peerId: 'me', role: meetRole.publisher })
    expect(up.happened).toMatchObject({ kind: 'promoted' })
    expect(handQueue(up)).toEqual([])
    const down = tell(up, 'changeRole', { peerId: 'me', role: 0 })
    expect(down.happened).toMatchObject({ kind: 'demoted' })
  })

  test('losing the right to send ends interpreting', () => {
    const room = entered({ peers: [peer('me'), interpreter('jane', 'de')] })
    const listening = act(room, { type: 'channel', language: 'de' })
    const after = tell(listening, 'changeRole', { peerId: 'jane', role: 0 })
    expect(peerOf(after, 'jane')?.language).toBeNull()
    expect(after.channel).toBeUndefined()
  })

  test('a former moderator no longer sees knocks', () => {
    const moderator = peer('me', { role: meetRole.publisher | meetRole.moderator })
    const room = entered({ peers: [moderator], knocks: [knock('aaaaaaaa')] })
    const after = tell(room, 'changeRole', { peerId: 'me', role: meetRole.publisher })
    expect(after.knocks).toEqual([])
    expect(after.happened).toMatchObject({ kind: 'noModerator' })
  })

  test("doesn't report role changes of others", () => {
    const room = tell(entered(), 'changeRole', { peerId: 'jane', role: 0 })
    expect(room.happened).toBeUndefined()
    expect(inNames(room).map(({ id }) => id)).toEqual(['jane'])
  })
})

describe('hands', () => {
  test('are listed in the order raised, until lowered', () => {
    const peers = [peer('me'), peer('jane', { role: 1 }), peer('ned', { role: 1 })]
    let room = entered({ peers })
    room = tell(room, 'changeRaisedHand', {
      peerId: 'ned',
      raisedHand: true,
      raisedAt: '2026-01-01T10:00:00.000Z',
    })
    room = tell(room, 'changeRaisedHand', {
      peerId: 'jane',
      raisedHand: true,
      raisedAt: '2026-01-01T10:00:01.000Z',
    })
    expect(handQueue(room).map(({ id }) => id)).toEqual(['ned', 'jane'])
    expect(room.happened).toMatchObject({ kind: 'hand', nickname: 'JANE' })
    room = tell(room, 'changeRaisedHand', { peerId: 'ned', raisedHand: false, raisedAt: null })
    expect(handQueue(room).map(({ id }) => id)).toEqual(['jane'])
  })
})

describe('chat', () => {
  test('counts unread messages until the chat is opened', () => {
    let room = tell(entered(), 'chatMessage', message(1, 'jane'))
    room = tell(room, 'chatMessage', message(2, 'jane'))
    room = tell(room, 'chatMessage', message(3, 'me'))
    expect(room.unread).toBe(2)
    room = act(room, { type: 'panel', panel: 'chat' })
    expect(room.unread).toBe(0)
    room = tell(room, 'chatMessage', message(4, 'jane'))
    expect(room.unread).toBe(0)
  })

  test('ignores a duplicate message', () => {
    const room = tell(entered({ chat: [message(1, 'jane')] }), 'chatMessage', message(1, 'jane'))
    expect(room.chat).toHaveLength(1)
  })

  test('shows earlier messages to latecomers, but not after reconnecting', () => {
    const first = entered({ chat: [message(1, 'jane')] })
    expect(first.unread).toBe(0)
    const back = act(first, {
      type: 'state',
      state: meeting({ isBack: true, chat: [message(1, 'jane'), message(2, 'jane'), message(3, 'me')] }),
    })
    expect(back.unread).toBe(1)
  })

  test('groups messages of one person until someone else writes or time passes', () => {
    const groups = chatGroups([
      message(1, 'jane'),
      message(2, 'jane'),
      message(3, 'me'),
      message(4, 'jane', { sentAt: '2026-11-22T09:00:10.000Z' }),
      message(5, 'jane', { sentAt: '2026-11-22T09:06:00.000Z' }),
    ])
    expect(groups.map(({ messages }) => messages.map(({ id }) => id))).toEqual([[1, 2], [3], [4], [5]])
  })
})

describe('knocks', () => {
  test('are listed once per browser and removed when answered by any moderator', () => {
    let room = tell(entered(), 'signal:joinRequest', knock('aaaaaaaa'))
    const told = room.happened?.id
    room = tell(room, 'signal:joinRequest', knock('aaaaaaaa', 'Tim B.'))
    expect(room.knocks).toEqual([knock('aaaaaaaa', 'Tim B.')])
    expect(room.happened?.id).toBe(told)
    room = tell(room, 'knockEnded', { requestId: 'aaaaaaaa', outcome: 'denied' })
    expect(room.knocks).toEqual([])
  })
})

describe('interpreters', () => {
  const peers = [peer('me'), peer('jane'), interpreter('ida', 'de'), interpreter('ilo', 'fr')]

  test('have no tile and are heard only on their channel', () => {
    const room = entered({ peers })
    expect(onStage(room).map(({ id }) => id)).toEqual(['me', 'jane'])
    expect(inNames(room).map(({ id }) => id)).toEqual(['ida', 'ilo'])
    expect(channels(room)).toEqual(['de', 'fr'])
    const loud = (state: RoomState) => state.peers.map((one) => loudnessOf(state, one))
    expect(loud(room)).toEqual([1, 1, 0, 0])
    const [, jane = 0, ida, ilo] = loud(act(room, { type: 'channel', language: 'de' }))
    expect([ida, ilo]).toEqual([1, 0])
    expect(jane).toBeGreaterThan(0)
    expect(jane).toBeLessThan(0.5)
  })

  test('when the last one of a language leaves, its channel is closed', () => {
    const room = act(entered({ peers }), { type: 'channel', language: 'de' })
    expect(room.channel).toBe('de')
    expect(tell(room, 'peerClosed', { peerId: 'ida', reason: 'left' }).channel).toBeUndefined()
    expect(tell(room, 'changeLanguage', { peerId: 'ida', language: null }).channel).toBeUndefined()
    expect(act(entered({ peers }), { type: 'channel', language: 'it' }).channel).toBeUndefined()
  })

  test('muting someone locally silences them on any channel', () => {
    const muted = act(entered({ peers }), { type: 'volume', peer: 'jane', volume: { level: 1, muted: true } })
    expect(muted.peers.map((one) => loudnessOf(muted, one))).toEqual([1, 0, 0, 0])
  })
})

describe('speakers', () => {
  test('the last loudest speaker stays large during silence', () => {
    let room = tell(entered(), 'speakers', {
      speakers: [
        { peer: 'me', level: 9 },
        { peer: 'jane', level: 5 },
      ],
    })
    expect(room.speaking).toEqual(['me', 'jane'])
    expect(room.lastSpeaker).toBe('jane')
    room = tell(room, 'speakers', { speakers: [] })
    expect(room.speaking).toEqual([])
    expect(room.lastSpeaker).toBe('jane')
    expect(tell(room, 'peerClosed', { peerId: 'jane', reason: 'left' }).lastSpeaker).toBeUndefined()
  })

  test("the same speakers don't trigger a render", () => {
    const room = tell(entered(), 'speakers', { speakers: [{ peer: 'jane', level: 5 }] })
    const again = reduceRoom(room, {
      type: 'notification',
      notification: { method: 'speakers', data: { speakers: [{ peer: 'jane', level: 6 }] } },
    })
    expect(again.speaking).toBe(room.speaking)
  })
})

test('a pin is removed when the person leaves', () => {
  const pinned = act(entered(), { type: 'pin', tile: { peer: 'jane', source: 'cam' } })
  expect(pinned.pinned).toEqual({ peer: 'jane', source: 'cam' })
  expect(tell(pinned, 'peerClosed', { peerId: 'jane', reason: 'left' }).pinned).toBeUndefined()
})

test("reconnecting takes the portal's state and keeps the local view", () => {
  let room = act(entered(), { type: 'view', view: 'speaker' })
  room = act(room, { type: 'connected', connected: false })
  expect(room.isConnected).toBe(false)
  room = act(room, { type: 'state', state: meeting({ isBack: true, peers: [peer('me'), peer('new')] }) })
  expect(room).toMatchObject({ isConnected: true, view: 'speaker' })
  expect(room.peers.map(({ id }) => id)).toEqual(['me', 'new'])
})

test('reports changed options with the previous values', () => {
  const options = { locked: true, nomedia: false, requires_password: false }
  const room = tell(entered(), 'changeOptions', options)
  expect(room.happened).toMatchObject({ kind: 'options', options, before: { locked: false } })
})

test('ignores unknown methods', () => {
  const room = entered()
  const later = { method: 'somethingNew', data: {} } as unknown as Notification // from a newer portal
  expect(reduceRoom(room, { type: 'notification', notification: later })).toEqual(room)
})
