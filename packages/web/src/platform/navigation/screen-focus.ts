import { useEffect } from 'react'

let shownPath: string | undefined
let navigated = false
/** Where the focus was once the screen had been changed: who moved it since then has begun to work. */
let left: Element | null = null

/** Lets a screen reader begin at the new heading; a screen that focuses a field of its own keeps that. */
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

/** The same for a screen whose heading arrives later. */
export function useFocusWhenReady(ready: boolean): void {
  useEffect(() => {
    const { activeElement } = document
    if (ready && navigated && (activeElement === left || activeElement === document.body)) focusHeading()
  }, [ready])
}

/** Moves the focus to the heading of the screen, unless something in the screen has it already. */
export function focusHeading(): void {
  const main = document.querySelector('main')
  const { activeElement } = document
  // The link that led here may still be in the page.
  if (main?.contains(activeElement) && !(activeElement instanceof HTMLAnchorElement)) return
  const heading = main?.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
