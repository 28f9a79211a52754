/** Position of a tile on the stage, in CSS pixels. */
export interface Rect {
  left: number
  top: number
  width: number
  height: number
}

export interface Box {
  width: number
  height: number
}

const gap = 8
/** Faces are unrecognizable below this size, so further tiles go to the next page. */
const leastTile = { width: 132, height: 96 }

/** Returns rows and columns for a number of tiles in a box; reference §1.15. */
export function gridOf(count: number, { width, height }: Box): { rows: number; columns: number } {
  if (count <= 1) return { rows: 1, columns: 1 }
  if (width * 9 >= height * 16) {
    const rows = [3, 8, 15, 20].findIndex((most) => count <= most) + 1 || 5
    return { rows, columns: Math.ceil(count / rows) }
  }
  const lines = [1, 4, 9, 16, 25].findIndex((most) => count <= most) + 1 || 6
  const others = Math.ceil(count / lines)
  return width >= height ? { rows: others, columns: lines } : { rows: lines, columns: others }
}

/** Places a number of tiles: equal cells, the last row centred. */
export function placeTiles(count: number, box: Box, origin = { left: 0, top: 0 }): Rect[] {
  const { rows, columns } = gridOf(count, box)
  const width = (box.width - gap * (columns - 1)) / columns
  const height = (box.height - gap * (rows - 1)) / rows
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, count - row * columns)
    const shift = ((columns - inRow) * (width + gap)) / 2
    return {
      left: origin.left + shift + (index - row * columns) * (width + gap),
      top: origin.top + row * (height + gap),
      width,
      height,
    }
  })
}

/** Returns how many tiles fit into a box. */
export function roomFor({ width, height }: Box): number {
  const columns = Math.max(1, Math.floor((width + gap) / (leastTile.width + gap)))
  const rows = Math.max(1, Math.floor((height + gap) / (leastTile.height + gap)))
  return Math.min(36, columns * rows)
}

export interface StageRequest {
  box: Box
  /** Number of tiles beside the large one. */
  count: number
  /** Aspect ratio of the large tile; undefined if there is none. */
  large?: number
}

export interface StagePlaces {
  large: Rect | undefined
  /** Space for the other tiles. */
  rest: Box
  origin: { left: number; top: number }
}

/**
 * Places the large tile: on the left at full height and natural width, at most two thirds of the stage; at
 * the top at full width on a portrait stage.
 */
export function placeLarge({ box, count, large }: StageRequest): StagePlaces {
  if (large === undefined) return { large: undefined, rest: box, origin: { left: 0, top: 0 } }
  if (count === 0) {
    return { large: { left: 0, top: 0, ...box }, rest: { width: 0, height: 0 }, origin: { left: 0, top: 0 } }
  }
  if (box.width >= box.height) {
    const width = Math.min(box.height * large, (box.width * 2) / 3)
    return {
      large: { left: 0, top: 0, width, height: box.height },
      rest: { width: box.width - width - gap, height: box.height },
      origin: { left: width + gap, top: 0 },
    }
  }
  const height = Math.min(box.width / large, (box.height * 2) / 3)
  return {
    large: { left: 0, top: 0, width: box.width, height },
    rest: { width: box.width, height: box.height - height - gap },
    origin: { left: 0, top: height + gap },
  }
}
