import type { BulkAction, BulkObjects } from '@gatehouse/contract/directory/bulk'
import { type ReactNode, useState } from 'react'
import type { Chosen, ListChoice } from '../../ui/data-table/data-list.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { BulkDialog } from './bulk-dialog.tsx'

export interface BulkOptions<Row> {
  objects: BulkObjects
  name: (row: Row) => string
  /** The list's filter, for "all that match". */
  search: string
  status: string | undefined
}

export interface Bulk<Row> {
  /** For the list. */
  choice: ListChoice<Row>
  /** Rendered next to the list: stays when nothing is left to select. */
  dialog: ReactNode
  /** Asks about one row, regardless of the selection. */
  ask: (action: BulkAction, row: Row) => void
}

interface Asked {
  action: BulkAction
  chosen: Chosen
  /** Name of the only object. */
  name?: string
}

/** Makes a list's rows selectable for bulk actions. */
export function useBulk<Row extends { id: number }>(options: BulkOptions<Row>): Bulk<Row> {
  const { objects, name, search, status } = options
  const [asked, setAsked] = useState<Asked>()
  return {
    ask: (action, row) =>
      setAsked({ action, chosen: { count: 1, ids: [row.id], clear: () => undefined }, name: name(row) }),
    choice: {
      id: ({ id }) => id,
      name,
      actions: (chosen) => (
        <BulkActions objects={objects} status={status} onAction={(action) => setAsked({ action, chosen })} />
      ),
    },
    dialog: asked && (
      <BulkDialog
        objects={objects}
        action={asked.action}
        chosen={
          asked.chosen.ids
            ? { ids: [...asked.chosen.ids] }
            : { filter: { search: search || null, status: status ?? null } }
        }
        count={asked.chosen.count}
        name={asked.name}
        onStarted={asked.chosen.clear}
        onClose={() => setAsked(undefined)}
      />
    ),
  }
}
