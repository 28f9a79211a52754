import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type FieldControl, FieldNotes, fieldControl } from '../../ui/fields/field.tsx'
import type { SelectOption } from '../../ui/fields/select.tsx'
import type { FieldError } from '../../ui/form/field-errors.ts'
import { usePendingEntry } from '../../ui/form/use-pending-entry.ts'
import { Icon } from '../../ui/icon.tsx'
import { AddressCombobox, addressNeeded, lacksAddress } from '../suggest/address-combobox.tsx'
import { type AclEntry, anyone, formatAclEntry, parseAclEntry } from './acl.ts'
import './acl-input.css'

export interface AclInputProps {
  id: string
  name?: string
  label: string
  /** Entries of the form `<who>, <right>`. */
  value: readonly string[]
  onValue: (value: string[]) => void
  onPending?: (isPending: boolean) => void
  /** Rights to choose from; the first is the default for a new entry. With only one, there is no selection. */
  rights: readonly [SelectOption, ...SelectOption[]]
  /** Only people can be named, not everyone. */
  userOnly?: boolean
  hint?: ReactNode
  error?: FieldError
  placeholder?: string
  disabled?: boolean
}

/** An access list: a row to add an entry, and an editable row per entry; screens reference §6.4. */
export function AclInput(props: AclInputProps) {
  const { id, label, value, onValue, onPending, rights, hint, disabled } = props
  const t = useT()
  const fresh: AclEntry = { who: '', right: rights[0].value }
  const [pending, setPending] = useState(fresh)
  const [isRefused, setRefused] = useState(false)
  const error = isRefused ? { ...props.error, text: t(addressNeeded()) } : props.error
  const entry = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLFieldSetElement>(null)
  const entries = value.map(parseAclEntry)
  const isAnyoneThere = entries.some(({ who }) => who === anyone)

  const type = (one: AclEntry) => {
    setPending(one)
    setRefused(false)
  }
  const add = (one: AclEntry) => {
    if (!one.who.trim()) return
    // text without an address stays in the field for correction
    if (one.who !== anyone && lacksAddress(one.who)) return setRefused(true)
    onValue([...value, formatAclEntry(one)])
    type(fresh)
  }

  usePendingEntry({
    element: frame,
    isPending: pending.who.trim() !== '',
    collect: () => add(pending),
    clear: () => type(fresh),
    onPending,
  })

  const change = (index: number, one: AclEntry) =>
    onValue(value.map((other, at) => (at === index ? formatAclEntry(one) : other)))
  const remove = (index: number) => {
    onValue(value.filter((_, at) => at !== index))
    frame.current?.querySelector<HTMLElement>('select, input')?.focus()
  }

  return (
    <fieldset ref={frame} className="field list-input acl-input" id={`${id}-list`} disabled={disabled}>
      <legend className="field-label">{label}</legend>
      <EntryRow
        {...props}
        entry={pending}
        error={error}
        onEntry={type}
        onAdd={add}
        withAnyone={!props.userOnly && !isAnyoneThere}
        known={entries.map(({ who }) => who)}
        inputRef={entry}
      />
      <FieldNotes id={id} hint={hint} error={error?.text} />
      {entries.length > 0 && (
        <ul>
          {entries.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries may repeat and change while they are edited
            <li key={index}>
              <Row
                id={`${id}-${index}`}
                label={t('list.item', { label, number: index + 1 })}
                entry={one}
                rights={rights}
                error={error?.items?.[index]}
                disabled={disabled}
                onEntry={(next) => change(index, next)}
                onRemove={() => remove(index)}
              />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

interface EntryRowProps extends Omit<AclInputProps, 'value' | 'onValue'> {
  entry: AclEntry
  onEntry: (entry: AclEntry) => void
  onAdd: (entry: AclEntry) => void
  withAnyone: boolean
  known: readonly string[]
  inputRef: RefObject<HTMLInputElement | null>
}

function EntryRow(props: EntryRowProps) {
  const { id, name, label, rights, hint, error, placeholder, disabled } = props
  const { entry, onEntry, onAdd, withAnyone, known, inputRef } = props
  const t = useT()
  const isAnyone = entry.who === anyone
  const control = fieldControl(id, hint, error?.text)
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter in an empty entry field submits the form, as in any other field.
    if (event.key !== 'Enter' || !entry.who.trim()) return
    event.preventDefault()
    onAdd(entry)
  }
  return (
    <div className="list-input-row acl-entry">
      {(withAnyone || isAnyone) && (
        <select
          // the field's control, for errors and focus, if there is no address to type
          {...(isAnyone ? control : {})}
          className={isAnyone ? 'input acl-address' : 'input acl-who'}
          aria-label={t('acl.who', { label })}
          disabled={disabled}
          value={isAnyone ? anyone : 'user'}
          onChange={(event) => onEntry({ ...entry, who: event.target.value === anyone ? anyone : '' })}
        >
          <option value="user">{t('words.user')}</option>
          <option value={anyone}>{t('words.everybody')}</option>
        </select>
      )}
      {!isAnyone && (
        <AddressCombobox
          besides={known}
          control={control}
          name={name}
          label={t('list.entry', { label })}
          value={entry.who}
          onValue={(who) => onEntry({ ...entry, who })}
          onKeyDown={onKeyDown}
          inputRef={inputRef}
          placeholder={placeholder}
          disabled={disabled}
        />
      )}
      <RightSelect
        label={t('acl.rightOfNew', { label })}
        rights={rights}
        value={entry.right}
        onValue={(right) => onEntry({ ...entry, right })}
        disabled={disabled}
      />
      <Button icon={IconPlus} label={t('list.add')} onPress={() => onAdd(entry)} disabled={disabled} />
    </div>
  )
}

interface RowProps {
  id: string
  label: string
  entry: AclEntry
  rights: AclInputProps['rights']
  error?: string
  disabled?: boolean
  onEntry: (entry: AclEntry) => void
  onRemove: () => void
}

function Row({ id, label, entry, rights, error, disabled, onEntry, onRemove }: RowProps) {
  const t = useT()
  const isAnyone = entry.who === anyone
  const who = isAnyone ? t('words.everybody') : entry.who
  const control: FieldControl = fieldControl(id, undefined, error)
  return (
    <>
      <div className="list-input-row acl-row">
        {isAnyone ? (
          <span className="acl-anyone">
            <Icon of={IconUsers} size="small" />
            {who}
          </span>
        ) : (
          <input
            {...control}
            className="input acl-address"
            aria-label={label}
            autoCapitalize="none"
            spellCheck={false}
            value={entry.who}
            onChange={(event) => onEntry({ ...entry, who: event.target.value })}
          />
        )}
        <RightSelect
          control={isAnyone ? control : undefined}
          label={t('acl.rightOf', { who })}
          rights={rights}
          value={entry.right}
          onValue={(right) => onEntry({ ...entry, right })}
          disabled={disabled}
        />
        <Button
          icon={IconTrash}
          label={t('list.remove', { item: who })}
          onPress={onRemove}
          disabled={disabled}
        />
      </div>
      <FieldNotes id={id} error={error} />
    </>
  )
}

interface RightSelectProps {
  control?: FieldControl
  label: string
  rights: AclInputProps['rights']
  value: string
  onValue: (right: string) => void
  disabled?: boolean
}

function RightSelect({ control, label, rights, value, onValue, disabled }: RightSelectProps) {
  const isKnown = rights.some((right) => right.value === value)
  if (rights.length === 1 && isKnown) return null
  return (
    <select
      {...control}
      className="input acl-right"
      aria-label={label}
      disabled={disabled}
      value={value}
      onChange={(event) => onValue(event.target.value)}
    >
      {!isKnown && <option value={value}>{value}</option>}
      {rights.map((right) => (
        <option key={right.value} value={right.value}>
          {right.label}
        </option>
      ))}
    </select>
  )
}
