import type { ChatMessage, PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import { isInterpreter, isPublisher } from './roles.ts'
import type { RoomState } from './room-state.ts'

/** People with a tile: who may send and does not interpret; oneself first. */
export function onStage({ peers, me }: RoomState): PeerInfo[] {
  const shown = peers.filter((peer) => isPublisher(peer) && !isInterpreter(peer))
  return [...shown.filter(({ id }) => id === me), ...shown.filter(({ id }) => id !== me)]
}

/** People who are a name only: listeners and interpreters. */
export function inNames({ peers }: RoomState): PeerInfo[] {
  return peers.filter((peer) => !isPublisher(peer) || isInterpreter(peer))
}

/** Raised hands in the order in which they went up. */
export function handQueue({ peers }: RoomState): PeerInfo[] {
  const raised = peers.filter(({ raisedHand }) => raisedHand)
  return raised.sort((left, right) => (left.raisedAt ?? '').localeCompare(right.raisedAt ?? ''))
}

/** Languages that others interpret into right now. */
export function channels({ peers, me }: RoomState): string[] {
  const spoken = peers.filter((peer) => peer.id !== me && isInterpreter(peer))
  return [...new Set(spoken.map(({ language }) => language ?? ''))].sort()
}

/** How loud the original stays while an interpreter is heard. */
const behindInterpreter = 0.15

/**
 * How loud somebody is heard here, 0 to 1. Without a channel interpreters are silent; with one only those of that
 * language are heard in full, and the others behind them.
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

/** Milliseconds after which the same person begins a new group. */
const pause = 5 * 60_000

/** Consecutive messages of one person stand together. */
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
