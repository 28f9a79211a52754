import { type RefObject, useEffect, useEffectEvent } from 'react'

export interface PendingEntry {
  /** An element inside the form. */
  element: RefObject<HTMLElement | null>
  /** There is input that isn't among the values yet. */
  isPending: boolean
  /** Adds it to the values. */
  collect: () => void
  /** Discards it. */
  clear: () => void
  /** Notifies the form, for which it is an unsaved change. */
  onPending: ((isPending: boolean) => void) | undefined
}

/**
 * Lifecycle of pending text in a list's entry field: saved or discarded with the form, and never lost
 * without confirmation.
 */
export function usePendingEntry({ element, isPending, collect, clear, onPending }: PendingEntry): void {
  const collectLatest = useEffectEvent(collect)
  const clearLatest = useEffectEvent(clear)
  const tell = useEffectEvent((pending: boolean) => onPending?.(pending))

  useEffect(() => {
    const form = element.current?.closest('form')
    const onSubmit = () => collectLatest()
    const onReset = () => clearLatest()
    // Before React's submit handlers, so that the form's values already include the pending text.
    form?.addEventListener('submit', onSubmit, true)
    form?.addEventListener('reset', onReset)
    return () => {
      form?.removeEventListener('submit', onSubmit, true)
      form?.removeEventListener('reset', onReset)
    }
  }, [element])

  useEffect(() => {
    if (!isPending) return
    tell(true)
    return () => tell(false)
  }, [isPending])
}
