import { useEffect, useRef } from 'react'
import { createStore } from '../../../state/store.ts'
import { remember, remembered } from '../setup/remembered.ts'

/**
 * Single-key shortcuts can be turned off, because they interfere with speech input and tremor (WCAG 2.1.4).
 */
const enabled = createStore(remembered('keys') !== 'off')

export const shortcutsEnabled = {
  ...enabled,
  set: (on: boolean) => {
    remember('keys', on ? 'on' : 'off')
    enabled.set(on)
  },
}

/** Actions by key name, without modifiers. */
export type Shortcuts = Readonly<Record<string, () => void>>

/** Runs the action of a key, except while typing or while a dialog or menu is open. */
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

/** Whether a key is meant for something other than the meeting. */
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
