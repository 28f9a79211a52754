import { useState } from 'react'

/** Selected rows of a list: some by id, or everything that matches on all pages. */
export interface Selection<Id = number> {
  ids: ReadonlySet<Id>
  all: boolean
  /** Start of a range: the last pressed row. */
  anchor: Id | undefined
}

export const nothing: Selection<never> = { ids: new Set(), all: false, anchor: undefined }

/** Everything that matches, including pages that were never shown. */
export const everything: Selection<never> = { ids: new Set(), all: true, anchor: undefined }

export interface RowPress<Id = number> {
  id: Id
  /** Ids of the rows on the page, in order. */
  page: readonly Id[]
  /** With shift: applies the new state to all rows from the last pressed one. */
  range: boolean
}

/** Returns the selection after pressing a row's checkbox. */
export function pressRow<Id>(before: Selection<Id>, { id, page, range }: RowPress<Id>): Selection<Id> {
  // Deselecting a row of everything keeps the rest of the page, which is what is visible.
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

/**
 * Returns the selection after pressing the heading's checkbox: the whole page, or none of it if already
 * selected.
 */
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

/** Returns how much of a page is selected. */
export function pageState<Id>({ ids, all }: Selection<Id>, page: readonly Id[]): 'all' | 'some' | 'none' {
  if (page.length === 0) return 'none'
  if (all) return 'all'
  const count = page.filter((id) => ids.has(id)).length
  if (count === 0) return 'none'
  return count === page.length ? 'all' : 'some'
}

/** Returns the number of selected rows in a list of `total`. */
export function countChosen<Id>({ ids, all }: Selection<Id>, total: number | undefined): number {
  return all ? (total ?? 0) : ids.size
}

export interface SelectionState<Id = number> {
  selection: Selection<Id>
  set: (change: (before: Selection<Id>) => Selection<Id>) => void
}

/** Keeps a selection across pages. A new search or filter clears it, as selected rows could be hidden. */
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
