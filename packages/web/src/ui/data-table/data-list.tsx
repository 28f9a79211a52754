import { type ReactNode, useRef } from 'react'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { LoadFailed } from '../page/load-failed.tsx'
import { type Column, DataTable, DataTableSkeleton, type RowChoice } from './data-table.tsx'
import { SearchedFor } from './found-text.tsx'
import type { Filters, ListNavigation } from './list-place.ts'
import { sortBy } from './list-place.ts'
import { ListSort } from './list-sort.tsx'
import { Pager } from './pager.tsx'
import {
  countChosen,
  everything,
  nothing,
  pageState,
  pressPage,
  pressRow,
  type SelectionState,
  useSelection,
} from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useLastPage } from './use-last-page.ts'
import '../page/panel.css'

/** A page of a list, as sent by the server. */
export interface ListPage<Row> {
  list: readonly Row[]
  count: number
  hasMore: boolean
  total?: number
}

/** The part of a query's state used by lists. */
export interface ListQuery<Row> {
  data: ListPage<Row> | undefined
  isError: boolean
  /** The data belongs to the previous location, shown until the new data arrives. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

export interface DataListProps<Row, S extends string, F extends Filters> {
  label: string
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** Consecutive rows with the same result are grouped below that heading. */
  groupOf?: (row: Row) => string
  /** Expanded content below a row; undefined: none. */
  detail?: (row: Row) => ReactNode
  query: ListQuery<Row>
  navigation: ListNavigation<S, F>
  /** Search and filters above the table. */
  tools?: ReactNode
  /** Shown if the list is empty without filters. */
  empty: ReactNode
  /** Rows can be selected for bulk actions. */
  choice?: ListChoice<Row>
  /** The list is inside a panel. */
  inside?: boolean
}

/** Selection options of a list. */
export interface ListChoice<Row> {
  id: (row: Row) => number
  /** Accessible name of a row. */
  name: (row: Row) => string
  /** Actions on the selected rows. */
  actions: (chosen: Chosen) => ReactNode
}

/** The selected rows of a list. */
export interface Chosen {
  count: number
  /** Ids of the rows; undefined: everything that matches. */
  ids: readonly number[] | undefined
  clear: () => void
}

/** A list in all its states: table with tools and paging, skeleton, empty, no matches, failed. */
export function DataList<Row, S extends string, F extends Filters>(props: DataListProps<Row, S, F>) {
  const { query, navigation, tools, empty, inside = false } = props
  const className = inside ? undefined : 'panel'
  const { data } = query
  const isNarrowed = narrowed(navigation)
  const { search, filters } = navigation.place
  const selection = useSelection(JSON.stringify([search, filters]))
  useLastPage(query, navigation)
  if (data && data.list.length === 0 && !isNarrowed && navigation.place.page === 1) {
    return <section className={className}>{empty}</section>
  }
  return (
    <section
      className={className}
      aria-busy={(!data && !query.isError) || query.isPlaceholderData || undefined}
    >
      {tools && (
        <div className="list-tools">
          {tools}
          <ListSort columns={props.columns} navigation={navigation} />
        </div>
      )}
      {props.choice && <Bar {...props} choice={props.choice} selection={selection} />}
      <SearchedFor value={search}>
        <Content {...props} selection={selection} />
      </SearchedFor>
    </section>
  )
}

interface WithSelection {
  selection: SelectionState
}

/** Shows and announces the number of selected rows, with actions on them. */
function Bar<Row, S extends string, F extends Filters>(
  props: DataListProps<Row, S, F> & WithSelection & { choice: ListChoice<Row> },
) {
  const t = useT()
  const { query, choice } = props
  const { selection, set } = props.selection
  const total = query.data?.total
  const count = countChosen(selection, total)
  const page = query.data?.list.map(choice.id) ?? []
  const clear = () => set(() => nothing)
  const bar = useRef<HTMLSpanElement>(null)
  // the focused button is unmounted with the bar
  const clearByButton = () => {
    bar.current?.parentElement?.querySelector<HTMLElement>('.data-box input')?.focus()
    clear()
  }
  return (
    <>
      <span ref={bar} className="visually-hidden" role="status">
        {count > 0 && t('list.selected', { count, number: number(count) })}
      </span>
      {count > 0 && (
        <SelectionBar
          count={count}
          total={total}
          isPage={pageState(selection, page) === 'all'}
          onAll={() => set(() => everything)}
          onPage={() => set((before) => pressPage(before, page))}
          onClear={clearByButton}
        >
          {choice.actions({ count, ids: selection.all ? undefined : [...selection.ids], clear })}
        </SelectionBar>
      )}
    </>
  )
}

function rowChoice<Row>(
  { id, name }: ListChoice<Row>,
  { selection, set }: SelectionState,
  rows: readonly Row[],
): RowChoice<Row> {
  const page = rows.map(id)
  return {
    name,
    isChosen: (row) => selection.all || selection.ids.has(id(row)),
    page: pageState(selection, page),
    onRow: (row, { range }) => set((before) => pressRow(before, { id: id(row), page, range })),
    onPage: () => set((before) => pressPage(before, page)),
    onClear: () => set(() => nothing),
  }
}

function Content<Row, S extends string, F extends Filters>(props: DataListProps<Row, S, F> & WithSelection) {
  const { label, columns, rowKey, groupOf, detail, query, navigation, choice, selection } = props
  const { place, sorts, go } = navigation
  const { data } = query
  if (query.isError && (!data || query.isPlaceholderData)) {
    return (
      <div className="panel-body">
        <LoadFailed onRetry={query.refetch} />
      </div>
    )
  }
  if (!data) return <DataTableSkeleton columns={columns} count={8} withBoxes={choice !== undefined} />
  if (data.list.length === 0) return <NoMatch navigation={navigation} />
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        rows={data.list}
        rowKey={rowKey}
        groupOf={groupOf}
        detail={detail}
        sort={place.sort}
        order={place.order}
        onSort={(name) => {
          const key = sorts.find((one) => one === name)
          if (key) go(sortBy(place, key))
        }}
        busy={query.isPlaceholderData}
        choice={choice && rowChoice(choice, selection, data.list)}
      />
      <Pager
        page={place.page}
        size={place.size}
        count={data.list.length}
        hasMore={data.hasMore}
        busy={query.isPlaceholderData}
        total={data.total}
        onPage={(page) => go({ page })}
        onSize={(size) => go({ size })}
      />
    </>
  )
}

function NoMatch<S extends string, F extends Filters>({ navigation }: { navigation: ListNavigation<S, F> }) {
  const t = useT()
  const { place, go } = navigation
  return (
    <div className="list-no-match" role="status">
      <h2>{place.search ? t('list.noMatchFor', { text: place.search }) : t('list.noMatch')}</h2>
      <p>{t('list.noMatchHint')}</p>
      <Button onPress={() => go({ search: '', filters: {} })}>{t('list.showAll')}</Button>
    </div>
  )
}

function narrowed<S extends string, F extends Filters>({ place }: ListNavigation<S, F>): boolean {
  return place.search !== '' || Object.values(place.filters).some((value) => value !== undefined)
}
