import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import type { SelectOption } from '../fields/select.tsx'
import { Icon } from '../icon.tsx'

/** How long typing must rest before the list is asked, in milliseconds. */
const rest = 300

export interface ListSearchProps {
  label: string
  placeholder: string
  value: string
  onSearch: (text: string) => void
  /** Longest text that the server takes. */
  maxLength?: number
  /** What may be meant by the text so far, with a word about each. */
  suggestions?: readonly SelectOption[]
  /** Each key pressed, for the suggestions. */
  onType?: (text: string) => void
}

/** The search field of a list: it searches by itself once typing rests, and at once with Enter. */
export function ListSearch(props: ListSearchProps) {
  const { label, placeholder, value, onSearch, maxLength = 191, suggestions, onType } = props
  const t = useT()
  const id = useId()
  const [text, setText] = useState(value)
  const asked = useRef(value)
  const field = useRef<HTMLInputElement>(null)

  const search = (wanted: string) => {
    if (wanted.trim() === asked.current) return
    asked.current = wanted.trim()
    onSearch(wanted.trim())
  }
  const searchLater = useEffectEvent(search)

  useEffect(() => {
    const timer = setTimeout(() => searchLater(text), rest)
    return () => clearTimeout(timer)
  }, [text])

  // The address has changed by other means: "back", a link, or the button that shows all.
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    setText(value)
  }, [value])

  const type = (typed: string) => {
    setText(typed)
    onType?.(typed)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(text)
  }
  const clear = () => {
    type('')
    search('')
    field.current?.focus()
  }

  return (
    <search className="list-search">
      <form onSubmit={submit}>
        <div className="adorned" data-icon="" data-end={text ? '' : undefined}>
          <Icon of={IconSearch} className="adorned-icon" />
          <input
            ref={field}
            className="input"
            type="text"
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-label={label}
            placeholder={placeholder}
            maxLength={maxLength}
            value={text}
            onChange={(event) => type(event.target.value)}
            list={suggestions && id}
          />
          {text && (
            <Button
              variant="quiet"
              size="small"
              className="adorned-end"
              icon={IconX}
              label={t('list.clearSearch')}
              onPress={clear}
            />
          )}
        </div>
        {suggestions && (
          <datalist id={id}>
            {suggestions.map((one) => (
              <option key={one.value} value={one.value}>
                {one.label}
              </option>
            ))}
          </datalist>
        )}
      </form>
    </search>
  )
}
