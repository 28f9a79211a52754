import { type RefObject, useEffect } from 'react'
import type { Meeting } from '../../room/meeting.ts'
import { useMeeting } from '../meeting-context.ts'

interface Watched {
  peer: string
  source: 'cam' | 'screen'
}

/** Reports the visible tiles and their sizes to the engine, so that it sends no more than needed. */
class TileWatch {
  readonly #meeting: Meeting
  readonly #tiles = new Map<Element, Watched & { isSeen: boolean }>()
  readonly #seen: IntersectionObserver
  readonly #sized: ResizeObserver
  #isDue = false

  constructor(meeting: Meeting) {
    this.#meeting = meeting
    this.#seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const tile = this.#tiles.get(target)
        if (tile) tile.isSeen = isIntersecting
      }
      this.#tell()
    })
    this.#sized = new ResizeObserver(() => this.#tell())
    document.addEventListener('visibilitychange', this.#tell)
  }

  add(element: Element, tile: Watched): () => void {
    this.#tiles.set(element, { ...tile, isSeen: true })
    this.#seen.observe(element)
    this.#sized.observe(element)
    this.#tell()
    return () => {
      this.#tiles.delete(element)
      this.#seen.unobserve(element)
      this.#sized.unobserve(element)
      this.#tell()
    }
  }

  /** Batches changes, because many tiles change at once. */
  #tell = (): void => {
    if (this.#isDue) return
    this.#isDue = true
    queueMicrotask(() => {
      this.#isDue = false
      this.#meeting.setView(document.hidden ? [] : this.#view())
    })
  }

  #view() {
    return [...this.#tiles].flatMap(([element, { peer, source, isSeen }]) => {
      const { width, height } = element.getBoundingClientRect()
      if (!isSeen || width === 0) return []
      const pixels = (length: number) => Math.round(Math.min(16_384, length * window.devicePixelRatio))
      return [{ peer, source, width: pixels(width), height: pixels(height) }]
    })
  }
}

const watches = new WeakMap<Meeting, TileWatch>()

function watchOf(meeting: Meeting): TileWatch {
  const known = watches.get(meeting) ?? new TileWatch(meeting)
  watches.set(meeting, known)
  return known
}

/** Watches the tile of another participant. */
export function useTileWatch(frame: RefObject<Element | null>, tile: Watched | undefined): void {
  const meeting = useMeeting()
  const { peer, source } = tile ?? {}
  useEffect(() => {
    if (!frame.current || !peer || !source) return
    return watchOf(meeting).add(frame.current, { peer, source })
  }, [meeting, frame, peer, source])
}
