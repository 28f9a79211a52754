import type { ReactNode } from 'react'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import './oauth.css'

export interface OAuthCardProps {
  title: string
  facts?: ReactNode
  children: ReactNode
  footer?: ReactNode
}

/** Narrow card for a single decision. */
export function OAuthCard({ title, facts, children, footer }: OAuthCardProps) {
  return (
    <div className="oauth-card">
      <PageHead title={title} facts={facts} />
      <Panel footer={footer}>
        <div className="stack">{children}</div>
      </Panel>
    </div>
  )
}
