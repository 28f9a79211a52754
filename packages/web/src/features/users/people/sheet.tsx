import type { SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import type { PersonField } from '@gatehouse/contract/directory/person-headings'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { PersonRow } from './person-row.tsx'
import { cellId, isBlank, maxRows } from './sheet-rows.ts'
import type { People } from './use-people.ts'

export interface SheetProps {
  people: People
  packages: readonly SubscriptionPackage[]
  /** Appended to addresses without a domain. */
  domain: string
  currency: string
  /** Undefined: storage isn't for sale. */
  storageUnit: string | undefined
}

/** Rows of new users: a table on wide screens, cards on a phone. */
export function Sheet({ people, packages, domain, currency, storageUnit }: SheetProps) {
  const t = useT()
  const root = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState<number>()
  const { rows, focusRequest } = people

  useEffect(() => {
    if (focusRequest === 0) return
    const wrong = root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    ;(wrong ?? root.current?.querySelector('input'))?.focus()
  }, [focusRequest])

  useEffect(() => {
    if (wanted === undefined) return
    focusCell(root.current, wanted, 'first_name')
    // oxlint-disable-next-line react/set-state-in-effect -- the row exists now, and its field is focused
    setWanted(undefined)
  }, [wanted])

  const add = () => setWanted(people.add())

  /** Enter moves to the next row, creating it if needed; arrow keys stay in their column. */
  const onKeyDown = (event: KeyboardEvent, key: number, field: PersonField) => {
    const at = rows.findIndex((row) => row.key === key)
    const isInput = event.target instanceof HTMLInputElement
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void people.submit()
    } else if (event.key === 'Enter' && isInput) {
      event.preventDefault()
      const next = rows[at + 1]
      const row = rows[at]
      if (next) focusCell(root.current, next.key, 'first_name')
      else if (row && !isBlank(row)) add()
    } else if (isInput && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const other = rows[at + (event.key === 'ArrowDown' ? 1 : -1)]
      if (!other) return
      event.preventDefault()
      focusCell(root.current, other.key, field)
    }
  }

  return (
    <div className="people-sheet" ref={root} data-storage={storageUnit ? '' : undefined}>
      <div className="people-head" aria-hidden="true">
        <span>{t('words.firstName')}</span>
        <span>{t('words.lastName')}</span>
        <span>{t('words.emailAddress')}</span>
        <span>{t('words.package')}</span>
        {storageUnit && <span>{t('people.storage', { unit: storageUnit })}</span>}
        <span>{t('userfields.external_email')}</span>
        <span className="people-price">{t('subscriptions.perMonth')}</span>
        <span />
      </div>
      {rows.map((row, index) => (
        <PersonRow
          key={row.key}
          row={row}
          number={index + 1}
          state={people.of(row)}
          people={people}
          packages={packages}
          domain={domain}
          currency={currency}
          storageUnit={storageUnit}
          onKeyDown={onKeyDown}
          onRemove={() => {
            people.remove(row.key)
            const next = rows[index + 1] ?? rows[index - 1]
            if (next) focusCell(root.current, next.key, 'first_name')
          }}
        />
      ))}
      <div className="people-add">
        <Button
          size="small"
          icon={IconPlus}
          reason={rows.length >= maxRows ? t('people.full', { count: number(maxRows) }) : undefined}
          onPress={add}
        >
          {t('people.addRow')}
        </Button>
      </div>
    </div>
  )
}

function focusCell(root: HTMLElement | null, key: number, field: PersonField): void {
  root?.querySelector<HTMLElement>(`#${cellId(key, field)}`)?.focus()
}
