import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Returns the width of an element in pixels, updated on resize; `first` until it is known. */
export function useWidth(first: number): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const measure = () => setWidth(Math.max(200, Math.floor(target.clientWidth) || first))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [first])
  return [element, width]
}
