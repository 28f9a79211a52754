import type { Fact } from '../../../ui/facts/facts.tsx'
import '../cockpit.css'

/** Facts of an object: labels on the left, values on the right. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="cockpit-facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
