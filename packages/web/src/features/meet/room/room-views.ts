import type { ChatMessage, PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import { isInterpreter, isPublisher } from './roles.ts'
import type { RoomState } from './room-state.ts'

/** People with a tile, the user first: those who may send and don't interpret. */
export function onStage({ peers, me }: RoomState): PeerInfo[] {
  const shown = peers.filter((peer) => isPublisher(peer) && !isInterpreter(peer))
  return [...shown.filter(({ id }) => id === me), ...shown.filter(({ id }) => id !== me)]
}

/** People shown by name only: listeners and interpreters. */
export function inNames({ peers }: RoomState): PeerInfo[] {
  return peers.filter((peer) => !isPublisher(peer) || isInterpreter(peer))
}

/** Raised hands, in the order raised. */
export function handQueue({ peers }: RoomState): PeerInfo[] {
  const raised = peers.filter(({ raisedHand }) => raisedHand)
  return raised.sort((left, right) => (left.raisedAt ?? '').localeCompare(right.raisedAt ?? ''))
}

/** Languages others are interpreting into. */
export function channels({ peers, me }: RoomState): string[] {
  const spoken = peers.filter((peer) => peer.id !== me && isInterpreter(peer))
  return [...new Set(spoken.map(({ language }) => language ?? ''))].sort()
}

/** Volume of the original while an interpreter is heard. */
const behindInterpreter = 0.15

/**
 * Returns the local volume of a participant, 0 to 1. Without a channel, interpreters are silent. With one,
 * only those of its language are heard in full, the others in the background.
 */
export function loudnessOf({ channel, volumes }: RoomState, peer: PeerInfo): number {
  const { level, muted } = volumes[peer.id] ?? { level: 1, muted: false }
  if (muted) return 0
  if (isInterpreter(peer)) return peer.language === channel ? level : 0
  return channel === undefined ? level : level * behindInterpreter
}

export interface ChatGroup {
  id: number
  peerId: string
  nickname: string
  isVerified: boolean
  sentAt: string
  messages: readonly ChatMessage[]
}

/** Milliseconds after which messages of the same person start a new group. */
const pause = 5 * 60_000

/** Groups consecutive messages of one person. */
export function chatGroups(chat: readonly ChatMessage[]): ChatGroup[] {
  const groups: (ChatGroup & { messages: ChatMessage[] })[] = []
  for (const message of chat) {
    const last = groups.at(-1)
    const lastSent = last?.messages.at(-1)?.sentAt ?? ''
    const isNear = Date.parse(message.sentAt) - Date.parse(lastSent) < pause
    if (last && last.peerId === message.peerId && last.nickname === message.nickname && isNear) {
      last.messages.push(message)
      continue
    }
    const { id, peerId, nickname, isVerified, sentAt } = message
    groups.push({ id, peerId, nickname, isVerified, sentAt, messages: [message] })
  }
  return groups
}
