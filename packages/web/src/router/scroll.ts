import type { Shown } from './router.ts'

const storageKey = 'scroll'

/** Scroll positions by the key of their entry in the history, in pixels. */
let positions: Record<string, number> | undefined
let shownKey = ''

/** Remembers how far each entry of the history was scrolled, over reloads too. The browser no longer does so itself. */
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

/** Scrolls a screen that has just been shown: to where it was, to what its hash names, or to its begin. */
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
    // we wrote it ourselves; what others put there scrolls to nowhere
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}
