import { useEffect, useRef } from 'react'
import { createStore } from '../../../state/store.ts'
import { remember, remembered } from '../setup/remembered.ts'

/** Single keys can be turned off: they get in the way of speech input, and of hands that tremble (WCAG 2.1.4). */
const enabled = createStore(remembered('keys') !== 'off')

export const shortcutsEnabled = {
  ...enabled,
  set: (on: boolean) => {
    remember('keys', on ? 'on' : 'off')
    enabled.set(on)
  },
}

/** Keys by what they are called on the keyboard, without modifiers. */
export type Shortcuts = Readonly<Record<string, () => void>>

/** Runs what a key stands for; not while somebody types, nor while a dialog or a menu is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = latest.current[event.key.toLowerCase()]
      if (!act || event.repeat || !enabled.get() || isElsewhere(event)) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether a key is meant for something else than the meeting. */
export function isElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input, textarea, select') ||
    target.closest('[role="dialog"], [role="menu"]') !== null
  )
}
