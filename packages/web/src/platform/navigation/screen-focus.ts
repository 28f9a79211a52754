import { useEffect } from 'react'

let shownPath: string | undefined
let navigated = false
/** Element focused after the last navigation; if the focus has moved since, the user has started working. */
let left: Element | null = null

/** Moves the focus to the new heading for screen readers, unless the screen focuses a field. */
export function useFocusAfterNavigation(path: string): void {
  useEffect(() => {
    const first = shownPath === undefined
    const changed = shownPath !== path
    shownPath = path
    if (first || !changed) return
    navigated = true
    focusHeading()
    left = document.activeElement
  }, [path])
}

/** The same for a screen whose heading renders later. */
export function useFocusWhenReady(ready: boolean): void {
  useEffect(() => {
    const { activeElement } = document
    if (ready && navigated && (activeElement === left || activeElement === document.body)) focusHeading()
  }, [ready])
}

/** Focuses the screen's heading, unless something in the screen has the focus. */
export function focusHeading(): void {
  const main = document.querySelector('main')
  const { activeElement } = document
  // The link that was followed may still be in the page.
  if (main?.contains(activeElement) && !(activeElement instanceof HTMLAnchorElement)) return
  const heading = main?.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
