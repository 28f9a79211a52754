import { expect, test } from 'vitest'
import type { RemoteSource } from './media-port.ts'
import { meeting, peer } from './room.test-data.ts'
import { reduceRoom } from './room-reducer.ts'
import { emptyRoom, type LocalAction, type RoomState } from './room-state.ts'
import { type StageRequest, stageOf } from './stage.ts'

const people = [peer('jane'), peer('me'), peer('ned'), peer('listener', { role: 1 })]
const room = (...actions: LocalAction[]): RoomState =>
  actions.reduce(reduceRoom, reduceRoom(emptyRoom, { type: 'state', state: meeting({ peers: people }) }))
const remote = (from: string, source: RemoteSource['source'], muted = false): RemoteSource => ({
  peer: from,
  source,
  muted,
  track: {} as MediaStreamTrack, // only looked at where it is drawn
  layer: 0,
  limit: 'none',
})
const shown = (request: Partial<StageRequest>) => {
  const { large, others } = stageOf({
    room: room(),
    remotes: [],
    sharesScreen: false,
    showsSelf: true,
    ...request,
  })
  return [large?.key, ...others.map(({ key }) => key)]
}

test('oneself comes first, listeners have no tile, and nobody is large', () => {
  expect(shown({})).toEqual([undefined, 'me/cam', 'jane/cam', 'ned/cam'])
})

test('the first shared screen is large, further ones are tiles', () => {
  const remotes = [remote('ned', 'screen'), remote('jane', 'screen')]
  expect(shown({ remotes })).toEqual(['jane/screen', 'me/cam', 'jane/cam', 'ned/cam', 'ned/screen'])
})

test('the own screen is never large by itself', () => {
  expect(shown({ sharesScreen: true })).toEqual([undefined, 'me/cam', 'jane/cam', 'ned/cam', 'me/screen'])
})

test('a pin counts more than a shared screen', () => {
  const pinned = room({ type: 'pin', tile: { peer: 'ned', source: 'cam' } })
  const [large] = shown({ room: pinned, remotes: [remote('jane', 'screen')] })
  expect(large).toBe('ned/cam')
})

test('a pin on a screen that is no longer shared lets go', () => {
  const pinned = room({ type: 'pin', tile: { peer: 'ned', source: 'screen' } })
  expect(shown({ room: pinned })[0]).toBeUndefined()
})

test('whoever spoke last is large in the view of speakers, somebody else before anybody has', () => {
  const view: LocalAction = { type: 'view', view: 'speaker' }
  expect(shown({ room: room(view) })[0]).toBe('jane/cam')
  const spoken = reduceRoom(room(view), {
    type: 'notification',
    notification: { method: 'speakers', data: { speakers: [{ peer: 'ned', level: 9 }] } },
  })
  expect(shown({ room: spoken })[0]).toBe('ned/cam')
})

test('people without a picture can be hidden, but not one that is pinned', () => {
  const remotes = [remote('jane', 'cam'), remote('ned', 'cam', true)]
  const hides: LocalAction = { type: 'hidesSilent', hides: true }
  expect(shown({ room: room(hides), remotes })).toEqual([undefined, 'me/cam', 'jane/cam'])
  expect(shown({ room: room(hides), remotes, showsSelf: false })).toEqual([undefined, 'jane/cam'])
  const pinned = room(hides, { type: 'pin', tile: { peer: 'ned', source: 'cam' } })
  expect(shown({ room: pinned, remotes })[0]).toBe('ned/cam')
})
