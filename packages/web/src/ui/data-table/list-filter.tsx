import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import { useId } from 'react'
import type { SelectOption } from '../fields/select.tsx'
import { Icon } from '../icon.tsx'

export interface ListFilterProps {
  label: string
  /** The choice that leaves everything in. */
  all: string
  options: readonly SelectOption[]
  value: string | undefined
  onFilter: (value: string | undefined) => void
}

/** One filter of a list, in the colour of a choice as long as it leaves something out. */
export function ListFilter({ label, all, options, value, onFilter }: ListFilterProps) {
  const id = useId()
  return (
    <div className={value === undefined ? 'list-filter' : 'list-filter list-filter-on'}>
      <Icon of={IconFilter} size="small" />
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value ?? ''} onChange={(event) => onFilter(event.target.value || undefined)}>
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
