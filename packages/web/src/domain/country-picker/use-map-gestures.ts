import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { panBy, type Size, type View, zoomBy } from './map-view.ts'

/** Pixels that a pointer may move and still count as a press. */
const slack = 4

interface Drag {
  pointer: number
  x: number
  y: number
  moved: boolean
}

/** Pans and zooms the map by pointer and wheel. `wasDrag` distinguishes a press from the end of a drag. */
export function useMapGestures(
  svg: RefObject<SVGSVGElement | null>,
  world: Size,
  change: (next: (view: View) => View) => void,
) {
  const drag = useRef<Drag>(undefined)
  const lastWasDrag = useRef(false)

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const point = pointOf(svg.current, event)
    change((view) => zoomBy(view, Math.exp(-event.deltaY / 400), world, point))
  })
  // React registers passive wheel listeners, so the page behind would scroll.
  useEffect(() => {
    const element = svg.current
    const listen = (event: WheelEvent) => onWheel(event)
    element?.addEventListener('wheel', listen, { passive: false })
    return () => element?.removeEventListener('wheel', listen)
  }, [svg])

  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const start = drag.current
    if (start?.pointer !== event.pointerId) return
    const dx = event.clientX - start.x
    const dy = event.clientY - start.y
    if (!start.moved && Math.hypot(dx, dy) < slack) return
    if (!start.moved) svg.current?.setPointerCapture(event.pointerId)
    drag.current = { ...start, x: event.clientX, y: event.clientY, moved: true }
    const scale = svg.current?.getScreenCTM()?.a ?? 1
    change((view) => panBy(view, -dx / scale, -dy / scale, world))
  }

  const onPointerUp = () => {
    lastWasDrag.current = drag.current?.moved ?? false
    drag.current = undefined
  }

  return {
    wasDrag: () => lastWasDrag.current,
    props: {
      onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
        if (event.button === 0)
          drag.current = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false }
      },
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
    },
  }
}

function pointOf(svg: SVGSVGElement | null, event: WheelEvent): [number, number] | undefined {
  const matrix = svg?.getScreenCTM()
  if (!matrix) return undefined
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
  return [x, y]
}
