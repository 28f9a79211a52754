import IconArrowsSort from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs'
import { useId } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import type { Column } from './data-table.tsx'
import type { Filters, ListNavigation, Order } from './list-place.ts'

export interface ListSortProps<Row, S extends string, F extends Filters> {
  columns: readonly Column<Row>[]
  navigation: ListNavigation<S, F>
}

/** Sort menu for phones, where column headings don't fit, and for keys without a column. */
export function ListSort<Row, S extends string, F extends Filters>(props: ListSortProps<Row, S, F>) {
  const { columns, navigation } = props
  const t = useT()
  const id = useId()
  const { sort, order } = navigation.place
  const choices = navigation.sorts.flatMap((key) => {
    const column = columns.find(({ name, sortable }) => sortable && name === key)
    if (!column) return []
    const orders: Order[] = ['asc', 'desc']
    return orders.map((one) => ({ key, order: one, column: column.label }))
  })
  if (choices.length === 0) return null
  return (
    <div
      className="list-filter list-sort"
      data-always={columns.some(({ sortOnly }) => sortOnly) || undefined}
    >
      <Icon of={IconArrowsSort} size="small" />
      <label htmlFor={id} className="visually-hidden">
        {t('list.sortedBy')}
      </label>
      <select
        id={id}
        value={`${sort} ${order}`}
        onChange={(event) => {
          const choice = choices.find((one) => `${one.key} ${one.order}` === event.target.value)
          if (choice) navigation.go({ sort: choice.key, order: choice.order })
        }}
      >
        {choices.map((one) => (
          <option key={`${one.key} ${one.order}`} value={`${one.key} ${one.order}`}>
            {t(one.order === 'asc' ? 'list.ascending' : 'list.descending', { column: one.column })}
          </option>
        ))}
      </select>
    </div>
  )
}
