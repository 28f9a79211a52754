import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { SmallTable } from './small-table.tsx'

export interface TextListProps {
  label: string
  /** Names one entry, above the column. */
  entry: string
  entries: readonly string[]
  /** In the place of a list without entries. */
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
