import type { BatchRow } from '@gatehouse/contract/directory/bulk'
import './bulk.css'

/** Rows that were refused, each with what is wrong with it. */
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

/** The sentences about a row, with the column that each is about. */
export function RowMessages({ of: { messages } }: { of: BatchRow }) {
  return messages.map(({ field, text }) => (
    <span key={`${field} ${text}`} className="bulk-message">
      {field && <code>{field}</code>} {text}
    </span>
  ))
}
