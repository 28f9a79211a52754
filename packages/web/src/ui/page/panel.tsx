import { type ReactNode, useId } from 'react'
import './panel.css'

export interface PanelProps {
  title?: ReactNode
  /** At the end of the title's line. */
  actions?: ReactNode
  footer?: ReactNode
  children: ReactNode
  /** Without inner margin, for tables and lists. */
  flush?: boolean
  busy?: boolean
}

/** The only container: a card with a hairline border. Panels are never nested. */
export function Panel({ title, actions, footer, children, flush = false, busy }: PanelProps) {
  const titleId = useId()
  return (
    <section className="panel" aria-labelledby={title ? titleId : undefined} aria-busy={busy || undefined}>
      {title && (
        <header>
          <h2 id={titleId}>{title}</h2>
          {actions}
        </header>
      )}
      {flush ? children : <div className="panel-body">{children}</div>}
      {footer && <footer>{footer}</footer>}
    </section>
  )
}

/** A short label beside a title, such as "beta". */
export function Tag({ children, accent = false }: { children: string; accent?: boolean }) {
  return <span className={accent ? 'tag tag-accent' : 'tag'}>{children}</span>
}
