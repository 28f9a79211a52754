import { keepPreviousData } from '@tanstack/react-query'
import { DataList, type DataListProps } from './data-list.tsx'
import { ListFilter } from './list-filter.tsx'
import type { Filters } from './list-place.ts'
import { ListSearch, type ListSearchProps } from './list-search.tsx'

/** How a list of staff is asked for: the page before stays until the new one is here, and nothing is kept. */
export const searchedListQuery = { placeholderData: keepPreviousData, staleTime: 0 } as const

interface Choice<V extends string> {
  label: string
  /** The choice that leaves everything in. */
  all: string
  options: readonly { value: V; label: string }[]
  value: V | undefined
  onFilter: (value: V | undefined) => void
}

export interface SearchedListProps<Row, S extends string, F extends Filters, V extends string>
  extends Omit<DataListProps<Row, S, F>, 'tools'> {
  search: Pick<ListSearchProps, 'label' | 'placeholder' | 'maxLength'>
  filter: Choice<V>
}

/** A list with a search and one filter, both in its address. */
export function SearchedList<Row, S extends string, F extends Filters, V extends string>({
  search,
  filter,
  ...list
}: SearchedListProps<Row, S, F, V>) {
  const { place, go } = list.navigation
  const { options, onFilter } = filter
  return (
    <DataList
      {...list}
      tools={
        <>
          <ListSearch {...search} value={place.search} onSearch={(text) => go({ search: text })} />
          <ListFilter
            {...filter}
            onFilter={(value) => onFilter(options.find((option) => option.value === value)?.value)}
          />
        </>
      }
    />
  )
}
