/**
 * What a participant of a meeting can send, and in which sizes. Free of libraries, so that the browser may load it.
 */

export const mediaSources = ['mic', 'cam', 'screen', 'screenaudio'] as const

export type MediaSource = (typeof mediaSources)[number]

export type MediaKind = 'audio' | 'video'

export function kindOf(source: MediaSource): MediaKind {
  return source === 'cam' || source === 'screen' ? 'video' : 'audio'
}

/** Layers of the camera, the smallest first; bit/s at a capture of 1280 × 720. */
export const cameraLayers = [
  { rid: 'l', scaleResolutionDownBy: 4, maxBitrate: 150_000 },
  { rid: 'm', scaleResolutionDownBy: 2, maxBitrate: 500_000 },
  { rid: 'h', scaleResolutionDownBy: 1, maxBitrate: 1_700_000 },
] as const

/** bit/s of a shared screen, which has one layer. */
export const screenBitrate = 2_500_000
