import { meetRole } from '@gatehouse/contract/meetings/meet-rules'
import type { ChatMessage, Knock, MeetingState, PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'

export function peer(id: string, more: Partial<PeerInfo> = {}): PeerInfo {
  return {
    id,
    nickname: id.toUpperCase(),
    isVerified: false,
    role: meetRole.publisher,
    language: null,
    raisedHand: false,
    raisedAt: null,
    isConnected: true,
    ...more,
  }
}

export function message(id: number, from: string, more: Partial<ChatMessage> = {}): ChatMessage {
  return {
    id,
    peerId: from,
    nickname: from.toUpperCase(),
    isVerified: false,
    message: `message ${id}`,
    sentAt: '2026-11-22T09:00:00.000Z',
    ...more,
  }
}

export function knock(requestId: string, nickname = 'Tim'): Knock {
  return { requestId, nickname, picture: 'data:image/png;base64,', knockedAt: '2026-11-22T09:00:00.000Z' }
}

export function meeting(more: Partial<MeetingState> = {}): MeetingState {
  return {
    peerId: 'me',
    resume: 'r',
    isBack: false,
    room: { name: 'abc', description: 'Board' },
    peers: [peer('me'), peer('jane')],
    options: { locked: false, nomedia: false, requires_password: false },
    chat: [],
    knocks: [],
    mediaSeen: 0,
    iceServers: [],
    now: '2026-11-22T09:00:00.000Z',
    ...more,
  }
}
