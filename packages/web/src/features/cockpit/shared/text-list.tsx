import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { SmallTable } from './small-table.tsx'

export interface TextListProps {
  label: string
  /** Column heading. */
  entry: string
  entries: readonly string[]
  /** Shown instead of an empty list. */
  none: string
  noneText: string
}

/** Entries of a setting, one below the other. */
export function TextList({ label, entry, entries, none, noneText }: TextListProps) {
  return (
    <SmallTable
      label={label}
      columns={[{ name: 'entry', label: entry, phone: 'main', cell: (text: string) => text }]}
      rows={entries}
      rowKey={(text) => text}
      empty={<EmptyState title={none}>{noneText}</EmptyState>}
    />
  )
}
