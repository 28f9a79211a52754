import type { FileItem } from '@gatehouse/contract/files/file-items'
import { useState } from 'react'
import {
  nothing,
  pageState,
  pressPage,
  pressRow,
  type Selection,
  useSelection,
} from '../../../ui/data-table/selection.ts'

/** A step with an arrow key while shift is held down. */
export interface Step<Id> {
  from: Id
  to: Id
  /** Ids of the page, in order. */
  page: readonly Id[]
}

/** Returns the selection after a shift step: it grows away from the start and shrinks on the way back. */
export function stepTo<Id>(before: Selection<Id>, { from, to, page }: Step<Id>): Selection<Id> {
  const anchor = before.anchor !== undefined && before.ids.has(before.anchor) ? before.anchor : from
  const far = (id: Id) => Math.abs(page.indexOf(id) - page.indexOf(anchor))
  const ids = new Set(before.ids)
  if (far(to) < far(from)) ids.delete(from)
  ids.add(anchor).add(to)
  return { ids, all: false, anchor }
}

/** The selected items of a list, across all pages. */
export interface Chosen<Item> {
  items: readonly Item[]
  has: (item: Item) => boolean
  page: 'all' | 'some' | 'none'
  /** `range`: selects everything from the last pressed item. */
  press: (item: Item, press: { range: boolean }) => void
  pressPage: () => void
  /** Selects exactly these. */
  only: (items: readonly Item[]) => void
  step: (from: Item, to: Item) => void
  clear: () => void
}

/** Keeps the selection and its items across pages; clears it when the location changes. */
export function useChosen<Item extends Pick<FileItem, 'id'>>(
  scope: string,
  rows: readonly Item[] | undefined,
): Chosen<Item> {
  const { selection, set } = useSelection<string>(scope)
  const known = useKnown(rows)
  const page = rows?.map(({ id }) => id) ?? []
  return {
    items: [...selection.ids].flatMap((id) => known.get(id) ?? []),
    has: ({ id }) => selection.ids.has(id),
    page: pageState(selection, page),
    press: ({ id }, { range }) => set((before) => pressRow(before, { id, page, range })),
    pressPage: () => set((before) => pressPage(before, page)),
    only: (items) =>
      set(() => ({ ids: new Set(items.map(({ id }) => id)), all: false, anchor: items[0]?.id })),
    step: (from, to) => set((before) => stepTo(before, { from: from.id, to: to.id, page })),
    clear: () => set(() => nothing),
  }
}

/** Latest known version of each item that was ever on the page. */
function useKnown<Item extends { id: string }>(rows: readonly Item[] | undefined): ReadonlyMap<string, Item> {
  const [state, setState] = useState<{ rows: readonly Item[] | undefined; known: ReadonlyMap<string, Item> }>(
    {
      rows: undefined,
      known: new Map(),
    },
  )
  if (rows === undefined || state.rows === rows) return state.known
  const known = new Map([...state.known, ...rows.map((row) => [row.id, row] as const)])
  setState({ rows, known })
  return known
}
