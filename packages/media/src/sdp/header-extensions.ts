import type { MediaKind } from '@gatehouse/contract/meetings/meet-sources'

/** Supported header extensions, and their numbers for receivers. */

export const extension = {
  audioLevel: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  sendTime: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  orientation: 'urn:3gpp:video-orientation',
  transportSequence: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
} as const

/** Identify a sender's layers; the library reads them and they are never forwarded. */
export const layerExtensions: readonly string[] = [
  'urn:ietf:params:rtp-hdrext:sdes:mid',
  'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
]

/** Numbers used for receivers. */
export const receiverIds = new Map<string, number>([
  [extension.audioLevel, 1],
  [extension.sendTime, 2],
  [extension.orientation, 3],
  [extension.transportSequence, 5],
])

export const sendTimeId = 2
export const transportSequenceId = 5

/** Extensions offered to a receiver for a line of this kind. */
export function receiverExtensions(kind: MediaKind): { uri: string; id: number }[] {
  const without = kind === 'audio' ? extension.orientation : extension.audioLevel
  return [...receiverIds].filter(([uri]) => uri !== without).map(([uri, id]) => ({ uri, id }))
}

/**
 * Map for `renumberExtensions` from a sender's numbers to the receivers'. All others become padding,
 * especially the MID, which would route the packet to another line of the receiver.
 */
export function renumbering(senderIds: ReadonlyMap<string, number>): Uint8Array {
  const ids = new Uint8Array(16)
  for (const [uri, id] of senderIds) ids[id] = receiverIds.get(uri) ?? 0
  return ids
}
