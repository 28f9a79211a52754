/** Pixels of a picture or of the place for it. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** What a receiver that has said nothing yet is taken to show. */
export const assumedTile: Size = { width: 320, height: 180 }

/** A picture may be enlarged by so much before a larger one is worth its bits. */
const tolerance = 1.25

/**
 * The smallest layer that fills a tile, the largest one if none does. `layers` are the sizes of the layers, the
 * smallest first; unknown ones are taken for half of the next one's sides, the largest for 1280 × 720.
 */
export function layerForTile(tile: Size, layers: readonly (Size | undefined)[]): number {
  const sizes = assumedSizes(layers)
  // a tile shows a picture whole or cuts its edges off: the side that is filled decides
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
