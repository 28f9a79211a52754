import { type ReactNode, useEffect, useRef } from 'react'

/** A step in a dialog. One that comes later takes the focus: its first field, else the step itself. */
export function StepBody({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { activeElement } = document
    // in the first step the dialog itself does it
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
