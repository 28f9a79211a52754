import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { type ClipboardEvent, type KeyboardEvent, type Ref, useId, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Avatar } from '../../ui/facts/avatar.tsx'
import type { FieldControl } from '../../ui/fields/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import './suggest.css'

/** A completion of the typed text. */
export interface Suggestion {
  value: string
  /** Shown above the value; empty for none. */
  name: string
  /** A distribution list; otherwise a person. */
  kind?: 'list'
}

export interface SuggestInputProps {
  /** Connects the field to its label and notes. */
  control: FieldControl
  name?: string
  /** Accessible name of a field without a visible label. */
  label?: string
  value: string
  onValue: (value: string) => void
  suggestions: readonly Suggestion[]
  /** Shown in place of the list when there are no suggestions. */
  nothing?: string | undefined
  /** Called with the chosen suggestion; by default its value becomes the field's value. */
  onPick?: (value: string) => void
  /** Called for keys the suggestions don't handle. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void
  placeholder?: string
  disabled?: boolean
  required?: boolean
  inputRef?: Ref<HTMLInputElement>
}

/** Combobox with a listbox, following the ARIA Authoring Practices. Free text is allowed too. */
export function SuggestInput(props: SuggestInputProps) {
  const { control, name, label, value, onValue, suggestions, nothing, onPick, onPaste, inputRef, ...rest } =
    props
  const t = useT()
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isAsked = isOpen && value.trim() !== ''
  const shown = isAsked ? suggestions : []
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
    const entered = event.key === 'Enter' ? (current ?? soleAnswer(shown, value)) : undefined
    if (step && suggestions.length > 0) {
      event.preventDefault()
      setOpen(true)
      setActive((active + step + (active < 0 && step < 0 ? 1 : 0) + suggestions.length) % suggestions.length)
    } else if (entered) {
      event.preventDefault()
      pick(entered)
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
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and keeps the focus
            <div
              key={one.value}
              ref={index === active ? inView : undefined}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(one)}
            >
              {one.kind === 'list' ? (
                <span className="suggest-group">
                  <Icon of={IconUsers} size="small" />
                </span>
              ) : (
                <Avatar name={one.name} email={one.value} />
              )}
              <span className="suggest-text">
                {one.name && <span className="suggest-name truncate">{one.name}</span>}{' '}
                <span className="suggest-value truncate">{one.value}</span>
              </span>
            </div>
          ))}
        </div>
      )}
      {isAsked && shown.length === 0 && nothing && <p className="suggest-list suggest-nothing">{nothing}</p>}
      <span className="visually-hidden" role="status">
        {shown.length > 0 && t('addresses.suggested', { count: shown.length })}
        {isAsked && shown.length === 0 && nothing}
      </span>
    </div>
  )
}

/** Returns the only suggestion if it contains the typed text, so that Enter is unambiguous. */
function soleAnswer(shown: readonly Suggestion[], text: string): Suggestion | undefined {
  const [one, ...others] = shown
  if (!one || others.length > 0 || text.includes('@')) return undefined
  return `${one.name} ${one.value}`.toLowerCase().includes(text.trim().toLowerCase()) ? one : undefined
}

/** Scrolls the active option into view. */
function inView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
