import type { ReactNode } from 'react'
import { Link } from '../../router/link.tsx'

export interface TableLinkProps {
  to: string
  children: ReactNode
  /** The target no longer exists. */
  muted?: boolean
}

/** The link of a row. Clicking anywhere in the row follows it. */
export function TableLink({ to, children, muted = false }: TableLinkProps) {
  return (
    <Link to={to} className={muted ? 'data-link data-link-muted' : 'data-link'}>
      {children}
    </Link>
  )
}
