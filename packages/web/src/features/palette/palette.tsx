import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { Option } from '../../domain/search/option.ts'
import { OptionGroup } from '../../domain/search/option-group.tsx'
import { useT } from '../../i18n/i18n.ts'
import { type UserInfo, useUser } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { keepFocusInside, useModal } from '../../ui/dialog/modal.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { usePalette } from './use-palette.ts'
import './palette.css'

export interface PaletteProps {
  onClose: () => void
}

/** Command palette: screens, objects by name or address, and actions. */
export function Palette({ onClose }: PaletteProps) {
  const user = useUser()
  return user ? createPortal(<OpenPalette user={user} onClose={onClose} />, document.body) : null
}

function OpenPalette({ user, onClose }: PaletteProps & { user: UserInfo }) {
  const t = useT()
  const listId = useId()
  const panel = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const palette = usePalette(user, onClose)
  const { typed, text, groups, count, active, found } = palette
  useModal(panel, field)
  useMarkedInView(panel, active?.key)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Tab' && panel.current) {
      keepFocusInside(event, panel.current)
    }
  }
  const optionId = (option: Option) => `${listId}-${option.key.replaceAll(/[^\w]/g, '-')}`

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut; Esc and a button do the same
    <div
      className="palette-scrim"
      data-dialog=""
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={onKeyDown}
    >
      <div ref={panel} className="palette" role="dialog" aria-modal="true" aria-label={t('palette.title')}>
        <div className="palette-field">
          {found.pending ? <span className="spinner" aria-hidden="true" /> : <Icon of={IconSearch} />}
          <input
            ref={field}
            type="text"
            role="combobox"
            aria-label={t('palette.label')}
            aria-autocomplete="list"
            aria-expanded={count > 0}
            aria-controls={listId}
            aria-activedescendant={active && optionId(active)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={191}
            placeholder={t('palette.placeholder')}
            value={typed}
            onChange={(event) => palette.type(event.target.value)}
            onKeyDown={palette.onKeyDown}
          />
          <Button variant="quiet" icon={IconX} label={t('words.close')} onPress={onClose} />
        </div>
        <div className="palette-body">
          <div role="listbox" id={listId} aria-label={t('palette.results')} tabIndex={-1}>
            {groups.map((group) => (
              <OptionGroup
                key={group.name}
                group={group}
                text={text}
                active={active}
                optionId={optionId}
                onMark={palette.mark}
                onChoose={palette.choose}
              />
            ))}
          </div>
          {found.failed && (
            <div className="palette-note">
              <LoadFailed onRetry={found.retry} />
            </div>
          )}
          {count === 0 && !found.failed && (
            <p className="palette-none">
              {found.pending ? t('palette.searching') : t('palette.nothing', { text })}
            </p>
          )}
        </div>
        <p className="palette-keys" aria-hidden="true">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> {t('palette.keyMove')}
          </span>
          <span>
            <kbd>↵</kbd> {t('palette.keyOpen')}
          </span>
          <span>
            <kbd>Esc</kbd> {t('palette.keyClose')}
          </span>
        </p>
        <span className="visually-hidden" role="status">
          {text !== '' && !found.pending && t('palette.count', { count })}
        </span>
      </div>
    </div>
  )
}

/** Scrolls the active option into view, however it became active. */
function useMarkedInView(panel: RefObject<HTMLElement | null>, key: string | undefined): void {
  useEffect(() => {
    const marked = key && panel.current?.querySelector('[aria-selected="true"]')
    if (marked) marked.scrollIntoView({ block: 'nearest' })
  }, [panel, key])
}
