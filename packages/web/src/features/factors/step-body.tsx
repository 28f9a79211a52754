import { type ReactNode, useEffect, useRef } from 'react'

/** A step in a dialog. Later steps take the focus: on their first field, otherwise on the step itself. */
export function StepBody({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { activeElement } = document
    // in the first step, the dialog sets the focus
    if (activeElement !== document.body && !activeElement?.closest('[data-dialog]')) return
    const first = body.current?.querySelector<HTMLElement>('input[type="text"]')
    ;(first ?? body.current)?.focus()
  }, [])
  return (
    <div ref={body} className="stack step-body" tabIndex={-1}>
      {children}
    </div>
  )
}
