import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import '../../../ui/fields/field.css'

export interface CustomerSearchProps {
  value: string
  /** What may be searched for. */
  hint: string
  onSearch: (text: string) => void
}

/** The field that finds a customer. It asks when it is told to, for an only hit is opened at once. */
export function CustomerSearch({ value, hint, onSearch }: CustomerSearchProps) {
  const t = useT()
  const id = useId()
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <search className="customer-search">
      <form onSubmit={submit}>
        <div className="adorned" data-icon="">
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
            aria-label={t('customer.search')}
            aria-describedby={id}
            placeholder={t('cockpit.jump')}
            maxLength={191}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button type="submit" variant="primary">
          {t('customer.searchNow')}
        </Button>
        {value !== '' && <Button onPress={() => onSearch('')}>{t('customer.searchClear')}</Button>}
      </form>
      <p id={id} className="small text-3">
        {hint}
      </p>
    </search>
  )
}
