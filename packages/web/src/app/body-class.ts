import { useLayoutEffect } from 'react'
import { menuEntryAt } from '../platform/navigation/menu.ts'

/** The class by which themes and static pages style a screen: `page-` and the first segment of the path. */
export function pageClass(path: string): string {
  const page = menuEntryAt(path)?.page
  return `page-${(page ?? path.split('/')[1] ?? '').toLowerCase()}`
}

/** Names the screen at the body; the server has done so for the first one, which may have led elsewhere. */
export function useBodyClass(name: string): void {
  useLayoutEffect(() => {
    const others = [...document.body.classList].filter((known) => known.startsWith('page-'))
    document.body.classList.remove(...others)
    document.body.classList.add(name)
    return () => document.body.classList.remove(name)
  }, [name])
}
