import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import { useId } from 'react'
import { Icon } from '../icon.tsx'

export interface ListFilterProps<V extends string> {
  label: string
  /** Option that disables the filter. */
  all: string
  options: readonly { value: V; label: string }[]
  value: V | undefined
  onFilter: (value: V | undefined) => void
}

/** A filter of a list, highlighted while active. */
export function ListFilter<V extends string>({ label, all, options, value, onFilter }: ListFilterProps<V>) {
  const id = useId()
  return (
    <div className={value === undefined ? 'list-filter' : 'list-filter list-filter-on'}>
      <Icon of={IconFilter} size="small" />
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={(event) => onFilter(options.find((one) => one.value === event.target.value)?.value)}
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
