/** Pixels of a video or its tile. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Assumed tile size of receivers that haven't sent a view yet. */
export const assumedTile: Size = { width: 320, height: 180 }

/** Factor by which a video may be upscaled before a higher layer is worth its bandwidth. */
const tolerance = 1.25

/**
 * Returns the smallest layer that fills a tile, or the largest if none does. `layers` are the layers' sizes,
 * smallest first; unknown ones are assumed to be half the next one's sides, and the largest 1280 × 720.
 */
export function layerForTile(tile: Size, layers: readonly (Size | undefined)[]): number {
  const sizes = assumedSizes(layers)
  // a tile either fits or crops the video: the side that is filled decides
  const index = sizes.findIndex(
    ({ width, height }) => width * tolerance >= tile.width && height * tolerance >= tile.height,
  )
  return index < 0 ? Math.max(0, layers.length - 1) : index
}

function assumedSizes(layers: readonly (Size | undefined)[]): Size[] {
  let larger: Size = { width: 2560, height: 1440 }
  return layers
    .toReversed()
    .map((size) => {
      larger = size ?? { width: larger.width / 2, height: larger.height / 2 }
      return larger
    })
    .toReversed()
}
