import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { errorLine, type FieldError } from '../form/field-errors.ts'
import { usePendingEntry } from '../form/use-pending-entry.ts'
import { FieldNotes, fieldControl } from './field.tsx'
import './list-input.css'

export interface ListInputProps {
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
}

/** A list of texts: an entry field with a plus button, and an editable row per item. */
export function ListInput(props: ListInputProps) {
  const { id, name, label, value, onValue, onPending, hint, error, placeholder, disabled } = props
  const t = useT()
  const [pending, setPending] = useState('')
  const entry = useRef<HTMLInputElement>(null)
  const wholeError = error && (errorLine({ ...error, items: undefined }) || undefined)
  const add = () => {
    const text = pending.trim()
    if (!text) return
    setPending('')
    onValue([...value, text])
  }

  usePendingEntry({
    element: entry,
    isPending: pending.trim() !== '',
    collect: add,
    clear: () => setPending(''),
    onPending,
  })

  const onEntryKey = (event: KeyboardEvent) => {
    // Enter in an empty entry field submits the form, as in any other field.
    if (event.key !== 'Enter' || !pending.trim()) return
    event.preventDefault()
    add()
  }

  const remove = (index: number) => {
    onValue(value.filter((_, at) => at !== index))
    entry.current?.focus()
  }

  return (
    <fieldset className="field list-input" id={`${id}-list`} disabled={disabled}>
      <legend className="field-label">{label}</legend>
      <div className="list-input-row">
        <input
          {...fieldControl(id, hint, wholeError)}
          ref={entry}
          name={name}
          className="input"
          aria-label={t('list.entry', { label })}
          placeholder={placeholder}
          value={pending}
          onChange={(event) => setPending(event.target.value)}
          onKeyDown={onEntryKey}
        />
        <Button icon={IconPlus} label={t('list.add')} onPress={add} disabled={disabled} />
      </div>
      <FieldNotes id={id} hint={hint} error={wholeError} />
      {value.length > 0 && (
        <ul>
          {value.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items may repeat and change during editing
            <li key={index}>
              <ListRow
                id={`${id}-${index}`}
                label={t('list.item', { label, number: index + 1 })}
                value={item}
                error={error?.items?.[index]}
                disabled={disabled}
                onValue={(text) => onValue(value.map((other, at) => (at === index ? text : other)))}
                onRemove={() => remove(index)}
              />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

export interface ListRowProps {
  id: string
  label: string
  value: string
  error?: string
  disabled?: boolean
  onValue: (value: string) => void
  onRemove: () => void
}

/** An item of a list: a field with a remove button. */
export function ListRow({ id, label, value, error, disabled, onValue, onRemove }: ListRowProps) {
  const t = useT()
  return (
    <>
      <div className="list-input-row">
        <input
          {...fieldControl(id, undefined, error)}
          className="input"
          aria-label={label}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
        <Button
          icon={IconTrash}
          label={t('list.remove', { item: value })}
          onPress={onRemove}
          disabled={disabled}
        />
      </div>
      <FieldNotes id={id} error={error} />
    </>
  )
}
