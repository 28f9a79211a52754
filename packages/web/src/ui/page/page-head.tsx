import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { HTMLAttributes, ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Link } from '../../router/link.tsx'
import { Icon } from '../icon.tsx'
import { useDocumentTitle } from './document-title.ts'
import './page-head.css'

/** A step of the breadcrumbs. */
export interface TrailStep {
  label: string
  to: string
  /** Query of the URL, such as the tab. */
  search?: Record<string, string>
  /** For steps that are drop targets. */
  drop?: Pick<HTMLAttributes<HTMLElement>, 'onDragOver' | 'onDrop' | 'onDragLeave'>
}

export interface PageHeadProps {
  /** The one h1 of the screen. */
  title: string
  /** The document's title, if the heading isn't a name. */
  documentTitle?: string
  /** Shown beside the title, such as a StatusChip. */
  status?: ReactNode
  /** One line of facts. */
  facts?: ReactNode
  /** Breadcrumbs to the page; the page itself is appended. */
  trail?: readonly TrailStep[]
  /** Buttons, the primary one last. */
  actions?: ReactNode
}

export function PageHead({ title, documentTitle, status, facts, trail = [], actions }: PageHeadProps) {
  const t = useT()
  useDocumentTitle(documentTitle ?? title)
  return (
    <div className="page-head">
      <div>
        {trail.length > 0 && (
          <nav className="page-trail" aria-label={t('shell.trail')}>
            <ol>
              {trail.map(({ label, to, search, drop }) => (
                <li key={`${to} ${label}`}>
                  <Link to={to} search={search} {...drop}>
                    {label}
                  </Link>
                  <Icon of={IconChevronRight} size="tiny" />
                </li>
              ))}
              <li aria-current="page">
                <span>{title}</span>
              </li>
            </ol>
          </nav>
        )}
        <div className="row wrap">
          <h1 tabIndex={-1}>{title}</h1>
          {status}
        </div>
        {facts && <p>{facts}</p>}
      </div>
      {actions && <div className="row wrap">{actions}</div>}
    </div>
  )
}
