import { useState } from 'react'

/** Which rows of a list are chosen: some by their ids, or all that the list would show on all its pages. */
export interface Selection<Id = number> {
  ids: ReadonlySet<Id>
  all: boolean
  /** Where a range begins: the row that was pressed last. */
  anchor: Id | undefined
}

export const nothing: Selection<never> = { ids: new Set(), all: false, anchor: undefined }

/** Everything that matches, also on pages that were never shown. */
export const everything: Selection<never> = { ids: new Set(), all: true, anchor: undefined }

export interface RowPress<Id = number> {
  id: Id
  /** Ids of the rows on the page, in their order. */
  page: readonly Id[]
  /** With the shift key: all rows from the one that was pressed last become as this one does. */
  range: boolean
}

/** The selection after a press on the box of a row. */
export function pressRow<Id>(before: Selection<Id>, { id, page, range }: RowPress<Id>): Selection<Id> {
  // Who takes a row out of everything goes on with the rest of the page: it is what can be seen.
  const ids = new Set(before.all ? page : before.ids)
  const isChosen = !ids.has(id)
  const from = range && before.anchor !== undefined ? page.indexOf(before.anchor) : -1
  const to = page.indexOf(id)
  const pressed = from === -1 || to === -1 ? [id] : page.slice(Math.min(from, to), Math.max(from, to) + 1)
  for (const one of pressed) {
    if (isChosen) ids.add(one)
    else ids.delete(one)
  }
  return { ids, all: false, anchor: id }
}

/** The selection after a press on the box in the head: the whole page, or none of it when it was chosen already. */
export function pressPage<Id>(before: Selection<Id>, page: readonly Id[]): Selection<Id> {
  if (before.all) return nothing
  const ids = new Set(before.ids)
  const isWhole = pageState(before, page) === 'all'
  for (const id of page) {
    if (isWhole) ids.delete(id)
    else ids.add(id)
  }
  return { ids, all: false, anchor: undefined }
}

/** How much of a page is chosen. */
export function pageState<Id>({ ids, all }: Selection<Id>, page: readonly Id[]): 'all' | 'some' | 'none' {
  if (page.length === 0) return 'none'
  if (all) return 'all'
  const count = page.filter((id) => ids.has(id)).length
  if (count === 0) return 'none'
  return count === page.length ? 'all' : 'some'
}

/** How many rows are chosen of a list that has `total`. */
export function countChosen<Id>({ ids, all }: Selection<Id>, total: number | undefined): number {
  return all ? (total ?? 0) : ids.size
}

export interface SelectionState<Id = number> {
  selection: Selection<Id>
  set: (change: (before: Selection<Id>) => Selection<Id>) => void
}

/**
 * Keeps a selection while one turns pages. Another search or filter forgets it: what is chosen could no longer be
 * seen.
 */
export function useSelection<Id = number>(scope: string): SelectionState<Id> {
  const [state, setState] = useState<{ scope: string; selection: Selection<Id> }>({
    scope,
    selection: nothing,
  })
  const selection = state.scope === scope ? state.selection : nothing
  if (state.scope !== scope) setState({ scope, selection: nothing })
  return {
    selection,
    set: (change) =>
      setState((before) => ({
        scope,
        selection: change(before.scope === scope ? before.selection : nothing),
      })),
  }
}
