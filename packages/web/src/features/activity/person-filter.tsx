import { useDeferredValue, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { isActor } from './activity-place.ts'

export interface PersonFilterProps {
  value: string | undefined
  onFilter: (actor: string | undefined) => void
}

/** Whose doing is shown. Names and parts of addresses offer the users that match; an address counts by itself. */
export function PersonFilter({ value = '', onFilter }: PersonFilterProps) {
  const t = useT()
  const [typed, setTyped] = useState(value)
  const search = useDeferredValue(typed.trim())
  const users = useApiPage('GET /api/v4/users', { query: { search: search || null, size: 8 } })
  return (
    <ListSearch
      label={t('activity.person')}
      placeholder={t('activity.personPlaceholder')}
      value={value}
      onType={setTyped}
      suggestions={users.data?.list.map(({ email, first_name, last_name }) => ({
        value: email,
        label: [first_name, last_name].filter(Boolean).join(' '),
      }))}
      onSearch={(text) => {
        if (text === '') onFilter(undefined)
        else if (isActor(text)) onFilter(text)
      }}
    />
  )
}
