import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { hitGroups, hitOption } from '../../../domain/search/hits.ts'
import type { Group, Option } from '../../../domain/search/option.ts'
import { OptionGroup } from '../../../domain/search/option-group.tsx'
import { useHits } from '../../../domain/search/use-hits.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import type { UserInfo } from '../../../platform/session/auth.ts'
import { readRecent } from '../../../platform/session/recent.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import '../../../ui/fields/field.css'

export interface CustomerSearchProps {
  user: UserInfo
  value: string
  /** What can be searched for. */
  hint: string
  onSearch: (text: string) => void
}

/**
 * Customer search field. Suggests matches while typing, and recently opened objects before that. The full
 * results load on submit only, because a single hit is opened at once.
 */
export function CustomerSearch({ user, value, hint, onSearch }: CustomerSearchProps) {
  const t = useT()
  const id = useId()
  const listId = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(value)
  const [isOpen, setOpen] = useState(false)
  const [marked, setMarked] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const text = typed.trim()
  const found = useHits(isOpen ? text : '')
  const groups = !isOpen ? [] : text === '' ? recentGroups(t, user.id) : hitGroups(found.hits)
  const options = groups.flatMap((group) => group.options)
  const at = options.findIndex(({ key }) => key === marked)
  const active = options[at]
  const isShown = options.length > 0
  const optionId = (option: Option) => `${listId}-${option.key.replaceAll(/[^\w]/g, '-')}`

  const close = () => {
    setOpen(false)
    setMarked(undefined)
  }
  const choose = (option: Option) => {
    close()
    if (option.to) void navigate({ href: option.to })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close()
    onSearch(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setOpen(true)
      // the field counts as a stop between the last option and the first
      const count = options.length + 1
      setMarked(options[((at + 1 + step + count) % count) - 1]?.key)
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      choose(active)
    } else if (event.key === 'Escape' && isShown) {
      event.stopPropagation()
      close()
    }
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
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={isShown ? listId : undefined}
            aria-activedescendant={active && optionId(active)}
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-label={t('customer.search')}
            aria-describedby={id}
            placeholder={t('cockpit.jump')}
            maxLength={191}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setOpen(true)
              setMarked(undefined)
            }}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
          {isShown && (
            <div id={listId} role="listbox" aria-label={t('palette.results')} className="customer-hits">
              {groups.map((group) => (
                <OptionGroup
                  key={group.name}
                  group={group}
                  text={text}
                  active={active}
                  optionId={optionId}
                  onMark={setMarked}
                  onChoose={choose}
                />
              ))}
            </div>
          )}
        </div>
        <Button type="submit" variant="primary">
          {t('customer.searchNow')}
        </Button>
        {value !== '' && <Button onPress={() => onSearch('')}>{t('customer.searchClear')}</Button>}
      </form>
      <p id={id} className="small text-3">
        {hint}
      </p>
      <span className="visually-hidden" role="status">
        {isOpen && text !== '' && !found.pending && t('palette.count', { count: options.length })}
      </span>
    </search>
  )
}

/** Recently opened objects; screens and actions are left to the palette. */
function recentGroups(t: Translate, userId: number): Group[] {
  const options = readRecent(userId).flatMap((one) => ('hit' in one ? [hitOption(t, one.hit)] : []))
  return options.length === 0 ? [] : [{ name: 'recent', options }]
}
