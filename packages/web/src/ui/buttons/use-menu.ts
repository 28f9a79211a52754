import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { nextStop } from '../keyboard/next-stop.ts'

/** State, focus and keyboard handling of a menu button. The items are buttons with a menu item role. */
export function useMenu() {
  const [open, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return
    const items = itemsOf(root.current)
    const chosen = items.find((item) => item.getAttribute('aria-checked') === 'true')
    ;(chosen ?? items[0])?.focus()
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const closeWhenLeft = (event: FocusEvent) => {
    if (!root.current?.contains(event.relatedTarget)) setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && !event.shiftKey) {
      // the browser moves the focus on from the button
      return close()
    }
    if (event.key === 'Tab' || event.key === 'Escape') {
      event.preventDefault()
      // keep the key from a surrounding dialog
      event.stopPropagation()
      return close()
    }
    const items = itemsOf(root.current)
    const at = items.findIndex((item) => item.matches(':focus'))
    const next = nextStop(event, at, items.length, 'vertical')
    if (next === undefined) return
    event.preventDefault()
    // keep the key from a surrounding list
    event.stopPropagation()
    items[next]?.focus()
  }
  return { open, id, root, button, close, closeWhenLeft, onKeyDown, toggle: () => setOpen(!open) }
}

function itemsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
}
