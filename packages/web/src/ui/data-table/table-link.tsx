import type { ReactNode } from 'react'
import { Link } from '../../router/link.tsx'

export interface TableLinkProps {
  to: string
  children: ReactNode
  /** What it leads to is there no longer. */
  muted?: boolean
}

/** The one link of a row. A press anywhere in the row follows it. */
export function TableLink({ to, children, muted = false }: TableLinkProps) {
  return (
    <Link to={to} className={muted ? 'data-link data-link-muted' : 'data-link'}>
      {children}
    </Link>
  )
}
