import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { AddressCombobox } from '../../domain/suggest/address-combobox.tsx'
import { useT } from '../../i18n/i18n.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { isActor } from './activity-place.ts'

export interface PersonFilterProps {
  value: string | undefined
  onFilter: (actor: string | undefined) => void
}

/**
 * Filter by actor. Names and partial addresses suggest matching users; a full address is applied directly.
 */
export function PersonFilter({ value = '', onFilter }: PersonFilterProps) {
  const t = useT()
  return (
    <ListSearch
      label={t('activity.person')}
      placeholder={t('activity.personPlaceholder')}
      value={value}
      field={(part) => <AddressCombobox {...part} />}
      onSearch={(text) => {
        if (text === '') onFilter(undefined)
        else if (isActor(text)) onFilter(canonicalAddress(text))
      }}
    />
  )
}
