import type { MediaKind } from '@gatehouse/contract/meetings/meet-sources'

/** Header extensions that mean something to us, with the numbers that they have towards receivers. */

export const extension = {
  audioLevel: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  sendTime: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  orientation: 'urn:3gpp:video-orientation',
  transportSequence: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
} as const

/** Tell a sender's layers apart; they are read by the library and never passed on. */
export const layerExtensions: readonly string[] = [
  'urn:ietf:params:rtp-hdrext:sdes:mid',
  'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
]

/** Numbers towards receivers. */
export const receiverIds = new Map<string, number>([
  [extension.audioLevel, 1],
  [extension.sendTime, 2],
  [extension.orientation, 3],
  [extension.transportSequence, 5],
])

export const sendTimeId = 2
export const transportSequenceId = 5

/** What a receiver is offered for a line of this kind. */
export function receiverExtensions(kind: MediaKind): { uri: string; id: number }[] {
  const without = kind === 'audio' ? extension.orientation : extension.audioLevel
  return [...receiverIds].filter(([uri]) => uri !== without).map(([uri, id]) => ({ uri, id }))
}

/**
 * For `renumberExtensions`: from a sender's numbers to those towards receivers. All others become padding, above
 * all the name of the media line, which would lead the packet to another line of the receiver.
 */
export function renumbering(senderIds: ReadonlyMap<string, number>): Uint8Array {
  const ids = new Uint8Array(16)
  for (const [uri, id] of senderIds) ids[id] = receiverIds.get(uri) ?? 0
  return ids
}
