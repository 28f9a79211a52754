import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { type ClipboardEvent, type KeyboardEvent, type Ref, useId, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import type { FieldControl } from '../../ui/fields/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import './suggest.css'

/** Something that completes what was typed. */
export interface Suggestion {
  value: string
  /** Beside the value; empty: none. */
  name: string
  /** A distribution list; otherwise a person. */
  kind?: 'list'
}

export interface SuggestInputProps {
  /** Ties the field to its label and notes. */
  control: FieldControl
  name?: string
  /** Name of a field without a visible label. */
  label?: string
  value: string
  onValue: (value: string) => void
  suggestions: readonly Suggestion[]
  /** A suggestion was chosen; without it, its value becomes that of the field. */
  onPick?: (value: string) => void
  /** Keys that the suggestions have no use for. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void
  placeholder?: string
  disabled?: boolean
  required?: boolean
  inputRef?: Ref<HTMLInputElement>
}

/** A text field for an address that offers what fits. Anything else may be typed too. */
export function SuggestInput(props: SuggestInputProps) {
  const { control, name, label, value, onValue, suggestions, onPick, onPaste, inputRef, ...rest } = props
  const t = useT()
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const shown = isOpen && value.trim() !== '' ? suggestions : []
  const current = shown[active]

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const pick = (one: Suggestion) => {
    close()
    if (onPick) onPick(one.value)
    else onValue(one.value)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && suggestions.length > 0) {
      event.preventDefault()
      setOpen(true)
      setActive((active + step + (active < 0 && step < 0 ? 1 : 0) + suggestions.length) % suggestions.length)
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      pick(current)
    } else if (event.key === 'Escape' && shown.length > 0) {
      event.stopPropagation()
      close()
    } else {
      rest.onKeyDown?.(event)
    }
  }

  return (
    <div className="suggest">
      <input
        {...control}
        ref={inputRef}
        name={name}
        className="input"
        type="text"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? listId : undefined}
        aria-activedescendant={current ? `${listId}-${active}` : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        placeholder={rest.placeholder}
        disabled={rest.disabled}
        required={rest.required}
        value={value}
        onChange={(event) => {
          onValue(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={close}
      />
      {shown.length > 0 && (
        <div id={listId} role="listbox" aria-label={t('addresses.suggestions')} className="suggest-list">
          {shown.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
            <div
              key={one.value}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(one)}
            >
              <Icon of={one.kind === 'list' ? IconList : IconUser} size="small" />
              <span className="truncate">{one.value}</span>
              {one.name && <span className="truncate text-3 small">{one.name}</span>}
            </div>
          ))}
        </div>
      )}
      <span className="visually-hidden" role="status">
        {shown.length > 0 && t('addresses.suggested', { count: shown.length })}
      </span>
    </div>
  )
}
