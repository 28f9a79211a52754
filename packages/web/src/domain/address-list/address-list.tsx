import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useRef,
  useState,
} from 'react'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Pager } from '../../ui/data-table/pager.tsx'
import { FieldNotes, fieldControl } from '../../ui/fields/field.tsx'
import { ListRow } from '../../ui/fields/list-input.tsx'
import type { FieldError } from '../../ui/form/field-errors.ts'
import { usePendingEntry } from '../../ui/form/use-pending-entry.ts'
import { Icon } from '../../ui/icon.tsx'
import { AddressCombobox, addressNeeded, lacksAddress } from '../suggest/address-combobox.tsx'
import { isSeveral, parseAddresses, withoutKnown } from './parse-addresses.ts'
import { pageSize, useShownRows } from './use-shown-rows.ts'
import './address-list.css'

/** Number of entries from which a filter field is shown. */
const filterFrom = 10

export interface AddressListProps {
  id: string
  name?: string
  label: string
  value: readonly string[]
  onValue: (value: string[]) => void
  onPending?: (isPending: boolean) => void
  hint?: ReactNode
  error?: FieldError
  placeholder?: string
  disabled?: boolean
  /** Suggests users and lists of the account while typing. */
  suggest?: boolean
  /** Entries may also be domains and domain suffixes. */
  withDomains?: boolean
}

/**
 * An address list that stays usable with thousands of entries: supports pasting many at once, removes
 * duplicates, can be searched, and renders one page of rows at a time. New entries come first.
 */
export function AddressList(props: AddressListProps) {
  const { id, label, value, onValue, onPending, hint, disabled, withDomains = false } = props
  const t = useT()
  const [pending, setPending] = useState('')
  const [isRefused, setRefused] = useState(false)
  const [notice, setNotice] = useState('')
  const error = isRefused ? { ...props.error, text: t(addressNeeded(withDomains)) } : props.error
  const entry = useRef<HTMLInputElement>(null)
  const rows = useShownRows(value, props.error)

  const type = (text: string) => {
    setPending(text)
    setRefused(false)
  }
  const addAll = (text: string) => {
    // text without an address stays in the field for correction
    if (lacksAddress(text, withDomains)) return setRefused(true)
    type('')
    const found = parseAddresses(text)
    if (found.length === 0) return
    const { added, repeated } = withoutKnown(found, value)
    const told = [
      found.length > 1 && added.length > 0 && t('addresses.added', { count: added.length }),
      repeated > 0 && t('addresses.repeated', { count: repeated }),
    ]
    setNotice(told.filter(Boolean).join(' '))
    if (added.length === 0) return
    onValue([...added, ...value])
    rows.toStart()
  }

  usePendingEntry({
    element: entry,
    isPending: pending.trim() !== '',
    collect: () => addAll(pending),
    clear: () => type(''),
    onPending,
  })

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter in an empty entry field submits the form, as in any other field.
    if (event.key !== 'Enter' || !pending.trim()) return
    event.preventDefault()
    addAll(pending)
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!isSeveral(text)) return
    event.preventDefault()
    addAll(`${pending} ${text}`)
  }
  const remove = (index: number) => {
    onValue(value.filter((_, at) => at !== index))
    entry.current?.focus()
  }

  return (
    <fieldset className="field list-input address-list" id={`${id}-list`} disabled={disabled}>
      <legend className="field-label">{label}</legend>
      <Entry
        {...props}
        value={pending}
        known={value}
        error={error}
        onValue={type}
        onAdd={addAll}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        inputRef={entry}
      />
      <FieldNotes id={id} hint={hint} error={error?.text} />
      <p className="field-hint address-list-notice" role="status">
        {notice}
      </p>
      <Tools rows={rows} count={value.length} label={label} />
      {rows.shown.length > 0 && (
        <ul>
          {rows.shown.map((index) => (
            <li key={index}>
              <ListRow
                id={`${id}-${index}`}
                label={t('list.item', { label, number: index + 1 })}
                value={value[index] ?? ''}
                error={rows.errorOf(value[index] ?? '')}
                disabled={disabled}
                onValue={(text) => onValue(value.map((other, at) => (at === index ? text : other)))}
                onRemove={() => remove(index)}
              />
            </li>
          ))}
        </ul>
      )}
      {value.length > 0 && rows.total === 0 && (
        <p className="field-hint" role="status">
          {t('addresses.noneFound')}
        </p>
      )}
      {rows.total > pageSize && (
        <Pager
          page={rows.page}
          size={pageSize}
          count={rows.shown.length}
          hasMore={rows.page * pageSize < rows.total}
          total={rows.total}
          onPage={rows.toPage}
        />
      )}
    </fieldset>
  )
}

interface EntryProps extends Omit<AddressListProps, 'value' | 'onValue'> {
  value: string
  known: readonly string[]
  onValue: (value: string) => void
  onAdd: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  onPaste: (event: ClipboardEvent) => void
  inputRef: RefObject<HTMLInputElement | null>
}

function Entry({ id, label, hint, error, suggest = false, withDomains, known, onAdd, ...field }: EntryProps) {
  const t = useT()
  const { name, value, onValue, onKeyDown, onPaste, inputRef, placeholder, disabled } = field
  return (
    <div className="list-input-row">
      <AddressCombobox
        lists
        besides={known}
        withoutSearch={!suggest}
        withDomains={withDomains}
        control={fieldControl(id, hint, error?.text)}
        name={name}
        label={t('list.entry', { label })}
        value={value}
        onValue={onValue}
        onPick={onAdd}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        inputRef={inputRef}
        placeholder={placeholder}
        disabled={disabled}
      />
      <Button icon={IconPlus} label={t('list.add')} onPress={() => onAdd(value)} disabled={disabled} />
    </div>
  )
}

interface ToolsProps {
  rows: ReturnType<typeof useShownRows>
  count: number
  label: string
}

/** The number of entries, and the filter. */
function Tools({ rows, count, label }: ToolsProps) {
  const t = useT()
  if (count < filterFrom) return null
  return (
    <div className="address-list-tools">
      <span className="small text-2">{t('addresses.count', { count, number: number(count) })}</span>
      {rows.wrong > 0 && (
        <Button size="small" aria-pressed={rows.onlyWrong} onPress={() => rows.setOnlyWrong(!rows.onlyWrong)}>
          {t('addresses.onlyWrong', { count: rows.wrong })}
        </Button>
      )}
      <div className="adorned address-list-filter" data-icon="">
        <Icon of={IconSearch} className="adorned-icon" />
        <input
          className="input"
          type="text"
          inputMode="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-label={t('addresses.filter', { label })}
          placeholder={t('addresses.filterPlaceholder')}
          value={rows.filter}
          onChange={(event) => rows.setFilter(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </div>
    </div>
  )
}
