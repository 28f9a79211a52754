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

/** How the stage shows people: all alike, or whoever speaks large. */
export type View = 'gallery' | 'speaker'

/** A picture on the stage. */
export interface PinnedTile {
  peer: string
  source: 'cam' | 'screen'
}

/** Something that happened, for readers and for passing notes. */
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

/** Happenings have a number, so that two alike are two. */
export type Happened = Happening & { id: number }

/** How somebody is heard here; nobody else knows. */
export interface Volume {
  /** 0 to 1. */
  level: number
  muted: boolean
}

/** Everything about the meeting that the screen shows, save the media themselves. */
export interface RoomState {
  me: string
  name: string
  description: string | null
  peers: readonly PeerInfo[]
  options: RoomOptions
  chat: readonly ChatMessage[]
  knocks: readonly Knock[]
  /** Who is heard, the loudest first. */
  speaking: readonly string[]
  /** Who was the loudest last, of the others; shown large while it is quiet. */
  lastSpeaker: string | undefined
  isConnected: boolean
  panel: PanelName | undefined
  /** Messages that came while the chat was closed. */
  unread: number
  view: View
  hidesSilent: boolean
  pinned: PinnedTile | undefined
  /** Language of the interpreter who is heard in the place of the speakers. */
  channel: string | undefined
  volumes: Readonly<Record<string, Volume>>
  happened: Happened | undefined
}

/** What people do to their own view; nobody else learns of it. */
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

/** A meeting of which nothing is known yet. */
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

/** The whole state replaces what was known; what people chose for themselves stays. */
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

/** What cannot stand any more falls away: a channel without interpreter, a pin on somebody who left. */
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
