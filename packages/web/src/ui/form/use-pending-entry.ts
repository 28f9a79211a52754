import { type RefObject, useEffect, useEffectEvent } from 'react'

export interface PendingEntry {
  /** An element inside the form. */
  element: RefObject<HTMLElement | null>
  /** Something was typed that is not among the values yet. */
  isPending: boolean
  /** Takes it among the values. */
  collect: () => void
  /** Forgets it. */
  clear: () => void
  /** Tells the form, for which it is an unsaved change. */
  onPending: ((isPending: boolean) => void) | undefined
}

/** The life of a text in the entry field of a list: saved with the form, discarded with it, and never lost unasked. */
export function usePendingEntry({ element, isPending, collect, clear, onPending }: PendingEntry): void {
  const collectLatest = useEffectEvent(collect)
  const clearLatest = useEffectEvent(clear)
  const tell = useEffectEvent((pending: boolean) => onPending?.(pending))

  useEffect(() => {
    const form = element.current?.closest('form')
    const onSubmit = () => collectLatest()
    const onReset = () => clearLatest()
    // Before React hears of the submission, so that the form already finds the pending text among its values.
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
