import { useState } from 'react'
import type { FieldError } from '../../ui/form/field-errors.ts'

/** Rows rendered at a time. */
export const pageSize = 25

/**
 * Determines which entries of a long list are rendered. Errors arrive by index of the sent list; they are
 * stored by entry, so that they follow it when others are added or removed, and disappear once it is changed.
 */
export function useShownRows(value: readonly string[], error: FieldError | undefined) {
  const [filter, setFilter] = useState('')
  const [onlyWrong, setOnlyWrong] = useState(false)
  const [page, setPage] = useState(1)
  const [marks, setMarks] = useState(() => marksOf(value, error))
  if (marks.error !== error) {
    const fresh = marksOf(value, error)
    setMarks(fresh)
    setFilter('')
    setOnlyWrong(false)
    // The first invalid row must be rendered, because it gets the focus.
    const first = value.findIndex((entry) => fresh.texts.has(entry))
    if (first >= 0) setPage(Math.floor(first / pageSize) + 1)
  }

  const wrong = value.filter((entry) => marks.texts.has(entry)).length
  const narrowed = onlyWrong && wrong > 0
  const wanted = filter.trim().toLowerCase()
  const matching = value.flatMap((entry, index) =>
    (wanted === '' || entry.toLowerCase().includes(wanted)) && (!narrowed || marks.texts.has(entry))
      ? [index]
      : [],
  )
  const last = Math.max(1, Math.ceil(matching.length / pageSize))
  const current = Math.min(page, last)

  return {
    /** Indexes of the entries on this page. */
    shown: matching.slice((current - 1) * pageSize, current * pageSize),
    total: matching.length,
    page: current,
    toPage: setPage,
    toStart: () => {
      setFilter('')
      setOnlyWrong(false)
      setPage(1)
    },
    filter,
    setFilter: (text: string) => {
      setFilter(text)
      setPage(1)
    },
    wrong,
    onlyWrong: narrowed,
    setOnlyWrong: (only: boolean) => {
      setOnlyWrong(only)
      setPage(1)
    },
    errorOf: (entry: string) => marks.texts.get(entry),
  }
}

interface Marks {
  error: FieldError | undefined
  texts: ReadonlyMap<string, string>
}

function marksOf(value: readonly string[], error: FieldError | undefined): Marks {
  const items = Object.entries(error?.items ?? {})
  return { error, texts: new Map(items.map(([index, text]) => [value[Number(index)] ?? '', text])) }
}
