import type { PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import type { RemoteSource } from './media-port.ts'
import type { PinnedTile, RoomState } from './room-state.ts'
import { onStage } from './room-views.ts'

/** A tile of the stage: a person or a shared screen. */
export interface StageTile {
  key: string
  peer: PeerInfo
  source: 'cam' | 'screen'
  isOwn: boolean
}

export interface Stage {
  /** The large tile. */
  large: StageTile | undefined
  others: readonly StageTile[]
}

export interface StageRequest {
  room: RoomState
  remotes: readonly RemoteSource[]
  /** Whether the user is sharing their screen. */
  sharesScreen: boolean
  /** Whether the user's camera is on. */
  showsSelf: boolean
}

/**
 * Returns the tiles in order, the user first. A pin takes precedence over a shared screen, which takes
 * precedence over the active speaker.
 */
export function stageOf({ room, remotes, sharesScreen, showsSelf }: StageRequest): Stage {
  const people = onStage(room)
  const hasVideo = ({ id }: PeerInfo) =>
    id === room.me
      ? showsSelf
      : remotes.some(({ peer, source, muted }) => peer === id && source === 'cam' && !muted)
  const isShown = (peer: PeerInfo) =>
    !room.hidesSilent || hasVideo(peer) || (room.pinned?.peer === peer.id && room.pinned.source === 'cam')
  const faces = people.filter(isShown).map((peer) => tileOf(room, peer, 'cam'))
  const screens = people
    .filter(({ id }) =>
      id === room.me ? sharesScreen : remotes.some(({ peer, source }) => peer === id && source === 'screen'),
    )
    .map((peer) => tileOf(room, peer, 'screen'))
  const all = [...faces, ...screens]
  const large = largeOf(room, all)
  return { large, others: all.filter((tile) => tile !== large) }
}

function largeOf(room: RoomState, tiles: readonly StageTile[]): StageTile | undefined {
  const { pinned } = room
  const chosen = pinned && tiles.find(({ peer, source }) => isTile(pinned, peer.id, source))
  if (chosen) return chosen
  const screen = tiles.find(({ source, isOwn }) => source === 'screen' && !isOwn)
  if (screen) return screen
  if (room.view !== 'speaker') return undefined
  const speaker = tiles.find(({ peer, source }) => source === 'cam' && peer.id === room.lastSpeaker)
  return speaker ?? tiles.find(({ isOwn }) => !isOwn)
}

export function isTile(pinned: PinnedTile | undefined, peer: string, source: 'cam' | 'screen'): boolean {
  return pinned?.peer === peer && pinned.source === source
}

function tileOf({ me }: RoomState, peer: PeerInfo, source: 'cam' | 'screen'): StageTile {
  return { key: `${peer.id}/${source}`, peer, source, isOwn: peer.id === me }
}
