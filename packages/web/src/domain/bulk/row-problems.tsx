import type { BatchRow } from '@gatehouse/contract/directory/bulk'
import './bulk.css'

/** Rejected rows with their errors. */
export function RowProblems({ label, rows }: { label: string; rows: readonly BatchRow[] }) {
  return (
    <ul className="bulk-problems" aria-label={label} tabIndex={rows.length > 4 ? 0 : undefined}>
      {rows.map((row) => (
        <li key={row.n}>
          <b>{row.label}</b>
          <RowMessages of={row} />
        </li>
      ))}
    </ul>
  )
}

/** A row's messages, each with its column. */
export function RowMessages({ of: { messages } }: { of: BatchRow }) {
  return messages.map(({ field, text }) => (
    <span key={`${field} ${text}`} className="bulk-message">
      {field && <code>{field}</code>} {text}
    </span>
  ))
}
