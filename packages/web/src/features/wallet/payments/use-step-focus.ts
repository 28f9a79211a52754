import { type RefObject, useEffect } from 'react'

/** Puts the focus on the first field of a step that comes later; in the first one the dialog itself does. */
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
