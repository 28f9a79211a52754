import { type RefObject, useEffect } from 'react'

/** Focuses the first field of a form on mount, for example in the next step. */
export function useFocusFirst(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const fields = 'input:not([tabindex="-1"]), select, textarea'
    form.current?.querySelector<HTMLElement>(fields)?.focus()
  }, [form])
}
