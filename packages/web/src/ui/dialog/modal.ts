import { type KeyboardEvent, type RefObject, useEffect } from 'react'

/** Tab stops; of a menu or a tab list, only the element with a tabindex of 0. */
const focusable = ['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex="0"]']
  .map((one) => `${one}:not(:disabled, [tabindex="-1"])`)
  .join()

/** Moves the focus into the dialog, locks the page behind it, and restores the focus at the end. */
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

/** Makes the Tab key cycle within a dialog. */
export function keepFocusInside(event: KeyboardEvent, panel: HTMLElement): void {
  const stops = [...panel.querySelectorAll<HTMLElement>(focusable)]
  const { activeElement } = document
  if (!activeElement || !panel.contains(activeElement)) return
  // the focus may be on an element that isn't a tab stop, such as a heading
  const ahead = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING
  if (stops.some((stop) => activeElement.compareDocumentPosition(stop) & ahead)) return
  event.preventDefault()
  stops.at(event.shiftKey ? -1 : 0)?.focus()
}
