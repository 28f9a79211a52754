import { type RefObject, useEffect } from 'react'

/** Focuses the first field of later steps; in the first step, the dialog does it. */
export function useStepFocus(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current
    const isInside = document.activeElement?.closest('[data-dialog]')
    if (!element || !(isInside || document.activeElement === document.body)) return
    const chosen =
      element.querySelector<HTMLElement>('input:checked') ?? element.querySelector<HTMLElement>('input')
    chosen?.focus()
  }, [form])
}
