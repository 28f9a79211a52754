import { type RefObject, useEffect } from 'react'

/** Puts the focus on the first field of a form when the form appears, for example as the next step. */
export function useFocusFirst(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const fields = 'input:not([tabindex="-1"]), select, textarea'
    form.current?.querySelector<HTMLElement>(fields)?.focus()
  }, [form])
}
