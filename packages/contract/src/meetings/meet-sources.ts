/**
 * Media sources of a meeting participant, and their sizes. Has no dependencies, so that the browser can load
 * it.
 */

export const mediaSources = ['mic', 'cam', 'screen', 'screenaudio'] as const

export type MediaSource = (typeof mediaSources)[number]

export type MediaKind = 'audio' | 'video'

export function kindOf(source: MediaSource): MediaKind {
  return source === 'cam' || source === 'screen' ? 'video' : 'audio'
}

/** One of the sizes in which a camera is sent simultaneously. */
export interface CameraLayer {
  readonly rid: 'l' | 'm' | 'h'
  readonly scaleResolutionDownBy: number
  /** bit/s */
  readonly maxBitrate: number
}

/**
 * Simulcast layers of a camera with this resolution, smallest first. Browsers drop the largest layer if the
 * resolution is too low for the number of layers, so low resolutions have fewer.
 */
export function cameraLayers(width: number, height: number): readonly CameraLayer[] {
  const pixels = width * height
  if (pixels >= 960 * 540)
    return [
      { rid: 'l', scaleResolutionDownBy: 4, maxBitrate: 150_000 },
      { rid: 'm', scaleResolutionDownBy: 2, maxBitrate: 500_000 },
      { rid: 'h', scaleResolutionDownBy: 1, maxBitrate: 1_700_000 },
    ]
  if (pixels >= 480 * 270)
    return [
      { rid: 'l', scaleResolutionDownBy: 2, maxBitrate: 150_000 },
      { rid: 'h', scaleResolutionDownBy: 1, maxBitrate: 600_000 },
    ]
  return [{ rid: 'l', scaleResolutionDownBy: 1, maxBitrate: 250_000 }]
}

/** Bit/s of a shared screen, which has one layer. */
export const screenBitrate = 2_500_000
