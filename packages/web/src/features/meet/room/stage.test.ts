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
  track: {} as MediaStreamTrack, // only used when rendered
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

test('puts the user first, gives listeners no tile, and has no large tile', () => {
  expect(shown({})).toEqual([undefined, 'me/cam', 'jane/cam', 'ned/cam'])
})

test('the first shared screen is large, further ones are tiles', () => {
  const remotes = [remote('ned', 'screen'), remote('jane', 'screen')]
  expect(shown({ remotes })).toEqual(['jane/screen', 'me/cam', 'jane/cam', 'ned/cam', 'ned/screen'])
})

test("the user's own screen is never large by default", () => {
  expect(shown({ sharesScreen: true })).toEqual([undefined, 'me/cam', 'jane/cam', 'ned/cam', 'me/screen'])
})

test('a pin takes precedence over a shared screen', () => {
  const pinned = room({ type: 'pin', tile: { peer: 'ned', source: 'cam' } })
  const [large] = shown({ room: pinned, remotes: [remote('jane', 'screen')] })
  expect(large).toBe('ned/cam')
})

test('a pin is released when the screen is no longer shared', () => {
  const pinned = room({ type: 'pin', tile: { peer: 'ned', source: 'screen' } })
  expect(shown({ room: pinned })[0]).toBeUndefined()
})

test('the speaker view shows the last speaker large, or another person before anyone speaks', () => {
  const view: LocalAction = { type: 'view', view: 'speaker' }
  expect(shown({ room: room(view) })[0]).toBe('jane/cam')
  const spoken = reduceRoom(room(view), {
    type: 'notification',
    notification: { method: 'speakers', data: { speakers: [{ peer: 'ned', level: 9 }] } },
  })
  expect(shown({ room: spoken })[0]).toBe('ned/cam')
})

test('can hide people without video, unless pinned', () => {
  const remotes = [remote('jane', 'cam'), remote('ned', 'cam', true)]
  const hides: LocalAction = { type: 'hidesSilent', hides: true }
  expect(shown({ room: room(hides), remotes })).toEqual([undefined, 'me/cam', 'jane/cam'])
  expect(shown({ room: room(hides), remotes, showsSelf: false })).toEqual([undefined, 'jane/cam'])
  const pinned = room(hides, { type: 'pin', tile: { peer: 'ned', source: 'cam' } })
  expect(shown({ room: pinned, remotes })[0]).toBe('ned/cam')
})
