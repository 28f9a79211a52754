import type { ReactNode } from 'react'
import './facts.css'

export interface Fact {
  label: string
  value: ReactNode
}

/** Read-only facts of an object: labels on the left, values on the right. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
