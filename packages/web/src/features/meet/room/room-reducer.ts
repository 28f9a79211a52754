import { chatHistory, meetRole } from '@gatehouse/contract/meetings/meet-rules'
import type { NotificationData, PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import type { Notification } from '../signalling/signalling-client.ts'
import { isModerator, isPublisher } from './roles.ts'
import { enterState, type Happening, type RoomEvent, type RoomState, tidy } from './room-state.ts'

/** Maximum number of messages kept during a long meeting. */
const longestChat = chatHistory * 5

/** Returns the room after an event. Ignores events about absent people. */
export function reduceRoom(room: RoomState, event: RoomEvent): RoomState {
  switch (event.type) {
    case 'state':
      return enterState(room, event.state)
    case 'notification':
      return tidy(reduceNotification(room, event.notification))
    case 'connected':
      return { ...room, isConnected: event.connected, speaking: event.connected ? room.speaking : [] }
    case 'panel':
      return { ...room, panel: event.panel, unread: event.panel === 'chat' ? 0 : room.unread }
    case 'view':
      return { ...room, view: event.view }
    case 'hidesSilent':
      return { ...room, hidesSilent: event.hides }
    case 'pin':
      return { ...room, pinned: event.tile }
    case 'channel':
      return tidy({ ...room, channel: event.language })
    case 'volume':
      return { ...room, volumes: { ...room.volumes, [event.peer]: event.volume } }
    case 'shares':
      return happen(room, { kind: 'shares', nickname: event.nickname })
  }
}

function reduceNotification(room: RoomState, { method, data }: Notification): RoomState {
  switch (method) {
    case 'newPeer':
      return addPeer(room, data)
    case 'peerClosed':
      return removePeer(room, data)
    case 'changeConnection':
      return changePeer(room, data.peerId, { isConnected: data.isConnected })
    case 'changeNickname':
      return rename(room, data)
    case 'changeRole':
      return changeRole(room, data)
    case 'changeLanguage':
      return changePeer(room, data.peerId, { language: data.language })
    case 'changeRaisedHand':
      return changeHand(room, data)
    case 'chatMessage':
      return addMessage(room, data)
    case 'changeOptions':
      return happen({ ...room, options: data }, { kind: 'options', options: data, before: room.options })
    case 'signal:joinRequest':
      return addKnock(room, data)
    case 'knockEnded':
      return { ...room, knocks: room.knocks.filter(({ requestId }) => requestId !== data.requestId) }
    case 'muteRequest':
      return happen(room, {
        kind: 'muted',
        by: peerOf(room, data.by)?.nickname ?? '',
        source: data.source,
        isForced: data.isForced,
      })
    case 'speakers':
      return hear(room, data)
    default:
      return room
  }
}

export function peerOf(room: RoomState, id: string): PeerInfo | undefined {
  return room.peers.find((peer) => peer.id === id)
}

function happen(room: RoomState, happening: Happening): RoomState {
  return { ...room, happened: { ...happening, id: (room.happened?.id ?? 0) + 1 } }
}

function addPeer(room: RoomState, peer: PeerInfo): RoomState {
  if (peerOf(room, peer.id)) return changePeer(room, peer.id, peer)
  return happen({ ...room, peers: [...room.peers, peer] }, { kind: 'came', nickname: peer.nickname })
}

function removePeer(room: RoomState, { peerId, reason }: NotificationData<'peerClosed'>): RoomState {
  const peer = peerOf(room, peerId)
  if (!peer) return room
  const { [peerId]: _forgotten, ...volumes } = room.volumes
  const rest = {
    ...room,
    volumes,
    peers: room.peers.filter(({ id }) => id !== peerId),
    speaking: room.speaking.filter((id) => id !== peerId),
  }
  return happen(rest, { kind: reason, nickname: peer.nickname })
}

function changePeer(room: RoomState, id: string, change: Partial<PeerInfo>): RoomState {
  return { ...room, peers: room.peers.map((peer) => (peer.id === id ? { ...peer, ...change } : peer)) }
}

/** Applies the new name to earlier messages; reference §1.15. */
function rename(room: RoomState, { peerId, ...name }: NotificationData<'changeNickname'>): RoomState {
  const chat = room.chat.map((message) => (message.peerId === peerId ? { ...message, ...name } : message))
  return changePeer({ ...room, chat }, peerId, name)
}

function changeRole(room: RoomState, { peerId, role }: NotificationData<'changeRole'>): RoomState {
  const before = peerOf(room, peerId)
  if (!before) return room
  const sends = isPublisher({ role })
  const lowered = sends && { raisedHand: false, raisedAt: null }
  const changed = changePeer(room, peerId, { role, ...lowered, ...(!sends && { language: null }) })
  if (peerId !== room.me) return changed
  const moderates = isModerator({ role })
  const next = moderates ? changed : { ...changed, knocks: [] }
  const news = before.role ^ role
  if (news & meetRole.publisher) return happen(next, { kind: sends ? 'promoted' : 'demoted' })
  return news & meetRole.moderator ? happen(next, { kind: moderates ? 'moderator' : 'noModerator' }) : next
}

function changeHand(room: RoomState, data: NotificationData<'changeRaisedHand'>): RoomState {
  const { peerId, raisedHand, raisedAt } = data
  const before = peerOf(room, peerId)
  if (!before) return room
  const changed = changePeer(room, peerId, { raisedHand, raisedAt })
  if (before.raisedHand === raisedHand) return changed
  if (!raisedHand) return peerId === room.me ? happen(changed, { kind: 'handLowered' }) : changed
  return peerId === room.me ? changed : happen(changed, { kind: 'hand', nickname: before.nickname })
}

function addMessage(room: RoomState, message: NotificationData<'chatMessage'>): RoomState {
  if (room.chat.some(({ id }) => id === message.id)) return room
  const chat = [...room.chat, message].slice(-longestChat)
  if (message.peerId === room.me) return { ...room, chat }
  const unread = room.panel === 'chat' ? 0 : room.unread + 1
  const { nickname, message: text } = message
  return happen({ ...room, chat, unread }, { kind: 'chat', nickname, message: text })
}

/** One entry per browser, however often it knocks. */
function addKnock(room: RoomState, knock: NotificationData<'signal:joinRequest'>): RoomState {
  const isKnown = room.knocks.some(({ requestId }) => requestId === knock.requestId)
  const others = room.knocks.filter(({ requestId }) => requestId !== knock.requestId)
  const knocks = [...others, knock]
  return isKnown
    ? { ...room, knocks }
    : happen({ ...room, knocks }, { kind: 'knock', nickname: knock.nickname })
}

function hear(room: RoomState, { speakers }: NotificationData<'speakers'>): RoomState {
  const speaking = speakers.map(({ peer }) => peer)
  const loudest = speaking.find((id) => id !== room.me && peerOf(room, id))
  const lastSpeaker = loudest ?? room.lastSpeaker
  const isSame =
    speaking.length === room.speaking.length && speaking.every((id, at) => id === room.speaking[at])
  return isSame && lastSpeaker === room.lastSpeaker ? room : { ...room, speaking, lastSpeaker }
}
