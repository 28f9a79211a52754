import type { ReactNode } from 'react'
import './empty-state.css'

export interface EmptyStateProps {
  title: string
  /** What it is for, with one example. */
  children: ReactNode
  /** The next step. */
  action?: ReactNode
}

/** Shown instead of an empty list. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <svg width="76" height="76" viewBox="0 0 76 76" fill="none" strokeWidth="1.8" aria-hidden="true">
        <rect x="6" y="14" width="52" height="12" rx="3" />
        <rect x="6" y="32" width="52" height="12" rx="3" />
        <rect x="6" y="50" width="34" height="12" rx="3" />
        <path className="empty-plus" d="M58 48v20M48 58h20" strokeWidth="2.4" />
      </svg>
      <div>
        <h2>{title}</h2>
        <p>{children}</p>
        {action}
      </div>
    </div>
  )
}
