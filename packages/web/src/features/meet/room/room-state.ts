import type {
  ChatMessage,
  Knock,
  MeetingState,
  PeerInfo,
  RoomOptions,
} from '@gatehouse/contract/meetings/meet-signalling'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import type { Notification } from '../signalling/signalling-client.ts'
import { isInterpreter } from './roles.ts'

/** What the side panel shows. */
export type PanelName = 'chat' | 'people'

/** Layout of the stage: equal tiles, or a large active speaker. */
export type View = 'gallery' | 'speaker'

/** A tile on the stage. */
export interface PinnedTile {
  peer: string
  source: 'cam' | 'screen'
}

/** An event for screen readers and toasts. */
export type Happening =
  | { kind: 'came' | 'left' | 'lost' | 'kicked'; nickname: string }
  | { kind: 'hand'; nickname: string }
  | { kind: 'handLowered' }
  | { kind: 'chat'; nickname: string; message: string }
  | { kind: 'knock'; nickname: string }
  | { kind: 'promoted' | 'demoted' | 'moderator' | 'noModerator' }
  | { kind: 'options'; options: RoomOptions; before: RoomOptions }
  | { kind: 'muted'; by: string; source: MediaSource; isForced: boolean }
  | { kind: 'shares'; nickname: string }

/** Numbered, so that equal events are distinct. */
export type Happened = Happening & { id: number }

/** Local volume of a participant. */
export interface Volume {
  /** 0 to 1. */
  level: number
  muted: boolean
}

/** Everything the screen shows about the meeting, except the media. */
export interface RoomState {
  me: string
  name: string
  description: string | null
  peers: readonly PeerInfo[]
  options: RoomOptions
  chat: readonly ChatMessage[]
  knocks: readonly Knock[]
  /** Active speakers, loudest first. */
  speaking: readonly string[]
  /** The last loudest speaker among the others; stays large during silence. */
  lastSpeaker: string | undefined
  isConnected: boolean
  panel: PanelName | undefined
  /** Number of messages that arrived while the chat was closed. */
  unread: number
  view: View
  hidesSilent: boolean
  pinned: PinnedTile | undefined
  /** Language of the interpreter heard instead of the speakers. */
  channel: string | undefined
  volumes: Readonly<Record<string, Volume>>
  happened: Happened | undefined
}

/** Changes to the local view, invisible to others. */
export type LocalAction =
  | { type: 'panel'; panel: PanelName | undefined }
  | { type: 'view'; view: View }
  | { type: 'hidesSilent'; hides: boolean }
  | { type: 'pin'; tile: PinnedTile | undefined }
  | { type: 'channel'; language: string | undefined }
  | { type: 'volume'; peer: string; volume: Volume }
  | { type: 'shares'; nickname: string }

export type RoomEvent =
  | { type: 'state'; state: MeetingState }
  | { type: 'notification'; notification: Notification }
  | { type: 'connected'; connected: boolean }
  | LocalAction

/** Initial state, before the meeting's state arrives. */
export const emptyRoom: RoomState = {
  me: '',
  name: '',
  description: null,
  peers: [],
  options: { locked: false, nomedia: false, requires_password: false },
  chat: [],
  knocks: [],
  speaking: [],
  lastSpeaker: undefined,
  isConnected: false,
  panel: undefined,
  unread: 0,
  view: 'gallery',
  hidesSilent: false,
  pinned: undefined,
  channel: undefined,
  volumes: {},
  happened: undefined,
}

/** Replaces the state and keeps local choices. */
export function enterState(room: RoomState, state: MeetingState): RoomState {
  const { peerId, peers, options, chat, knocks } = state
  const lastRead = room.chat.at(-1)?.id ?? 0
  const isFirst = room.me === ''
  const missed = chat.filter(({ id, peerId: from }) => id > lastRead && from !== peerId).length
  const unread = room.panel === 'chat' || isFirst ? 0 : room.unread + missed
  return tidy({
    ...room,
    ...{ me: peerId, name: state.room.name, description: state.room.description },
    ...{ peers, options, chat, knocks, unread, isConnected: true, speaking: [] },
  })
}

/** Removes what is no longer valid: a channel without interpreter, a pin on someone who left. */
export function tidy(room: RoomState): RoomState {
  const { channel, pinned, peers, lastSpeaker } = room
  const isThere = (id: string | undefined) => peers.some((peer) => peer.id === id)
  const isServed = peers.some((peer) => isInterpreter(peer) && peer.language === channel)
  return {
    ...room,
    channel: channel !== undefined && isServed ? channel : undefined,
    pinned: pinned && isThere(pinned.peer) ? pinned : undefined,
    lastSpeaker: isThere(lastSpeaker) ? lastSpeaker : undefined,
  }
}
