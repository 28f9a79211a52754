import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import type { FieldControl } from '../fields/field.tsx'
import { Icon } from '../icon.tsx'

/** Debounce before searching, in milliseconds. */
const rest = 300

export interface ListSearchProps {
  label: string
  placeholder: string
  value: string
  onSearch: (text: string) => void
  /** Maximum length accepted by the server. */
  maxLength?: number
  /** Replaces the text field, such as by one with suggestions. */
  field?: (part: SearchPart) => ReactNode
}

/** Props for a field that replaces the default one. */
export interface SearchPart {
  control: FieldControl
  label: string
  placeholder: string
  value: string
  onValue: (text: string) => void
  inputRef: RefObject<HTMLInputElement | null>
}

/** Search field of a list: searches after a pause in typing, or at once with Enter. */
export function ListSearch(props: ListSearchProps) {
  const { label, placeholder, value, onSearch, maxLength = 191, field: ownField } = props
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

  // The URL was changed by "back", a link, or the button that shows all.
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    setText(value)
  }, [value])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(text)
  }
  const clear = () => {
    setText('')
    search('')
    field.current?.focus()
  }

  return (
    <search className="list-search">
      <form onSubmit={submit} noValidate>
        <div className="adorned" data-icon="" data-end={text ? '' : undefined}>
          <Icon of={IconSearch} className="adorned-icon" />
          {ownField ? (
            // oxlint-disable-next-line react/refs -- passed to the input, not read
            ownField({ control: { id }, label, placeholder, value: text, onValue: setText, inputRef: field })
          ) : (
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
              onChange={(event) => setText(event.target.value)}
            />
          )}
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
      </form>
    </search>
  )
}
