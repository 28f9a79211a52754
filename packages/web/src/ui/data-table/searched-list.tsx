import { DataList, type DataListProps } from './data-list.tsx'
import { ListFilter, type ListFilterProps } from './list-filter.tsx'
import type { Filters } from './list-place.ts'
import { ListSearch, type ListSearchProps } from './list-search.tsx'

export interface SearchedListProps<Row, S extends string, F extends Filters, V extends string>
  extends Omit<DataListProps<Row, S, F>, 'tools'> {
  search: Pick<ListSearchProps, 'label' | 'placeholder' | 'maxLength'>
  filter: ListFilterProps<V>
}

/** A list with a search and one filter, both in the URL. */
export function SearchedList<Row, S extends string, F extends Filters, V extends string>({
  search,
  filter,
  ...list
}: SearchedListProps<Row, S, F, V>) {
  const { place, go } = list.navigation
  return (
    <DataList
      {...list}
      tools={
        <>
          <ListSearch {...search} value={place.search} onSearch={(text) => go({ search: text })} />
          <ListFilter {...filter} />
        </>
      }
    />
  )
}
