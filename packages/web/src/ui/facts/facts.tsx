import type { ReactNode } from 'react'
import './facts.css'

export interface Fact {
  label: string
  value: ReactNode
}

/** Facts of an object that nobody changes by hand: what it is on the left, how it is on the right. */
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
