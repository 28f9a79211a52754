import type { Shown } from './router.ts'

const storageKey = 'scroll'

/** Scroll positions in pixels by key of the history entry. */
let positions: Record<string, number> | undefined
let shownKey = ''

/** Stores scroll positions per history entry, across reloads. Disables the browser's own restoration. */
export function rememberScrolling(): () => void {
  window.history.scrollRestoration = 'manual'
  positions ??= readPositions()
  const note = () => {
    if (positions && shownKey) positions[shownKey] = window.scrollY
  }
  const keep = () => sessionStorage.setItem(storageKey, JSON.stringify(positions))
  window.addEventListener('scroll', note, { passive: true })
  window.addEventListener('pagehide', keep)
  return () => {
    window.removeEventListener('scroll', note)
    window.removeEventListener('pagehide', keep)
  }
}

/** Positions a newly shown screen: restores its scroll position, scrolls to its hash, or to the top. */
export function placeScroll({
  location,
  resetScroll,
}: Pick<Shown<unknown>, 'location' | 'resetScroll'>): void {
  const { key, hash } = location
  if (key === shownKey) return
  const isFirst = shownKey === ''
  shownKey = key
  const known = positions?.[key]
  const named = hash && document.getElementById(hash)
  if (known !== undefined) window.scrollTo(0, known)
  else if (named) named.scrollIntoView()
  else if (resetScroll && !isFirst) window.scrollTo(0, 0)
}

function readPositions(): Record<string, number> {
  try {
    // written by us; an invalid value has no effect on scrolling
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}
