import { useLayoutEffect } from 'react'
import { menuEntryAt } from '../platform/navigation/menu.ts'

/**
 * Returns the CSS class by which themes and static pages style a screen: `page-` and the first path segment.
 */
export function pageClass(path: string): string {
  const page = menuEntryAt(path)?.page
  return `page-${(page ?? path.split('/')[1] ?? '').toLowerCase()}`
}

/** Sets the screen's body class; the server sets the first one, which may be outdated after a redirect. */
export function useBodyClass(name: string): void {
  useLayoutEffect(() => {
    const others = [...document.body.classList].filter((known) => known.startsWith('page-'))
    document.body.classList.remove(...others)
    document.body.classList.add(name)
    return () => document.body.classList.remove(name)
  }, [name])
}
