import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useId, useMemo, useState } from 'react'
import { useLanguage, useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import {
  type Country,
  type CountryGroup,
  countriesByContinent,
  countriesByLetter,
  searchCountries,
} from './countries.ts'

export interface CountryListProps {
  selected: ReadonlySet<string>
  /** The user's current country, which can't be deselected. */
  here: string | undefined
  onToggle: (code: string) => void
  onSetAll: (codes: readonly string[], selected: boolean) => void
}

type Order = 'continent' | 'letter'

/** The countries as a searchable list of checkboxes, equivalent to the map. */
export function CountryList({ selected, here, onToggle, onSetAll }: CountryListProps) {
  const t = useT()
  const id = useId()
  const language = useLanguage()
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<Order>('continent')
  const all = useMemo(
    () => (order === 'continent' ? countriesByContinent(language) : countriesByLetter(language)),
    [order, language],
  )
  const groups = searchCountries(all, search)
  return (
    <div className="country-list">
      <div className="country-list-tools">
        <TextField
          id={`${id}-search`}
          label={t('countries.search')}
          hideLabel
          placeholder={t('countries.search')}
          icon={IconSearch}
          autoComplete="off"
          value={search}
          onValue={setSearch}
        />
        <Segmented
          label={t('countries.order')}
          choices={[
            { value: 'continent', label: t('countries.byContinent') },
            { value: 'letter', label: t('countries.byLetter') },
          ]}
          value={order}
          onValue={setOrder}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
      <section className="country-list-scroll" aria-label={t('countries.list')} tabIndex={0}>
        {groups.length === 0 && <p className="text-2">{t('countries.none', { search })}</p>}
        {groups.map((group) => (
          <Group
            key={group.name}
            group={group}
            withAll={order === 'continent' && !search.trim()}
            {...{ selected, here, onToggle, onSetAll }}
          />
        ))}
      </section>
    </div>
  )
}

interface GroupProps extends CountryListProps {
  group: CountryGroup
  /** With a button that selects the whole group. */
  withAll: boolean
}

function Group({ group, withAll, selected, here, onToggle, onSetAll }: GroupProps) {
  const t = useT()
  const { name, countries } = group
  const count = countries.filter(({ code }) => selected.has(code)).length
  const isFull = count === countries.length
  return (
    <fieldset className="country-group">
      <legend>
        {name} {count > 0 && <span>{t('words.ofTotal', { count, all: countries.length })}</span>}
      </legend>
      {withAll && countries.length > 1 && (
        <Button
          variant="quiet"
          size="small"
          onPress={() =>
            onSetAll(
              countries.map(({ code }) => code),
              !isFull,
            )
          }
        >
          {isFull ? t('countries.dropAll') : t('countries.takeAll')}
          <span className="visually-hidden">: {name}</span>
        </Button>
      )}
      <ul>
        {countries.map((country) => (
          <Row
            key={country.code}
            country={country}
            checked={selected.has(country.code)}
            locked={country.code === here}
            onToggle={onToggle}
          />
        ))}
      </ul>
    </fieldset>
  )
}

interface RowProps {
  country: Country
  checked: boolean
  locked: boolean
  onToggle: (code: string) => void
}

function Row({ country: { code, name }, checked, locked, onToggle }: RowProps) {
  const t = useT()
  return (
    <li>
      <label className="check">
        <input type="checkbox" checked={checked} disabled={locked} onChange={() => onToggle(code)} />
        <span>
          {name}
          {locked && <span className="country-locked">{t('countries.locked')}</span>}
        </span>
      </label>
    </li>
  )
}
