import { type KeyboardEvent, type RefObject, useEffect } from 'react'

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** Moves the focus into the dialog, locks the page behind it, and gives the focus back in the end. */
export function useModal(
  panel: RefObject<HTMLElement | null>,
  first: RefObject<HTMLElement | null> | undefined,
): void {
  useEffect(() => {
    const opener = document.activeElement
    const unlock = lockPage()
    const start = first?.current ?? panel.current?.querySelector<HTMLElement>('input, select, textarea')
    ;(start ?? panel.current)?.focus()
    return () => {
      unlock()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [panel, first])
}

let locks = 0

function lockPage(): () => void {
  const page = document.getElementById('app')
  locks += 1
  page?.setAttribute('inert', '')
  document.body.classList.add('has-dialog')
  return () => {
    locks -= 1
    if (locks > 0) return
    page?.removeAttribute('inert')
    document.body.classList.remove('has-dialog')
  }
}

/** Lets the tab key go round in a dialog. */
export function keepFocusInside(event: KeyboardEvent, panel: HTMLElement): void {
  const stops = [...panel.querySelectorAll<HTMLElement>(focusable)]
  const first = stops.at(0)
  const last = stops.at(-1)
  const { activeElement } = document
  if (event.shiftKey && (activeElement === first || activeElement === panel)) {
    event.preventDefault()
    last?.focus()
  } else if (!event.shiftKey && activeElement === last) {
    event.preventDefault()
    first?.focus()
  }
}
