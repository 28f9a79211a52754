import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { type Glyph, Icon } from '../../../../ui/icon.tsx'
import { nextStop } from '../../../../ui/keyboard/next-stop.ts'

export interface MenuItem {
  name: string
  label: string
  icon?: Glyph
  /** One of several choices, or a toggle; by default an action. */
  kind?: 'choice' | 'switch'
  checked?: boolean
  /** Why it can't be chosen: disables it. */
  reason?: string | undefined
  danger?: boolean
  /** Shown only if there is no space for a separate button. */
  narrow?: boolean
  /** Heading of the items from here on. */
  heading?: string
  onPress: () => void
}

export interface StageMenuProps {
  label: string
  face: ReactNode
  className?: string
  items: readonly MenuItem[]
  pressed?: boolean
}

const roles = { choice: 'menuitemradio', switch: 'menuitemcheckbox' } as const

function roleOf({ kind, checked = false }: MenuItem) {
  return kind ? { role: roles[kind], 'aria-checked': checked } : { role: 'menuitem' }
}

/** Button with a menu placed where there is space, above all scrolling content. */
export function StageMenu({ label, face, className, items, pressed }: StageMenuProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = (giveBack = true) => {
    setOpen(false)
    if (giveBack) button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-pressed={pressed}
        onClick={() => setOpen(!open)}
      >
        {face}
      </button>
      {open && <OpenMenu id={id} label={label} items={items} button={button} onClose={close} />}
    </>
  )
}

interface OpenMenuProps {
  id: string
  label: string
  items: readonly MenuItem[]
  button: { readonly current: HTMLButtonElement | null }
  onClose: (giveBack?: boolean) => void
}

function OpenMenu({ id, label, items, button, onClose }: OpenMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<CSSProperties>()
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the placement is known only after rendering
    if (button.current && menu.current) setPlace(beside(button.current, menu.current))
  }, [button])
  useEffect(() => {
    if (!place) return
    const chosen = menu.current?.querySelector<HTMLElement>('[role="menuitemradio"][aria-checked="true"]')
    ;(chosen ?? menu.current?.querySelector<HTMLElement>('button:not(:disabled)'))?.focus()
  }, [place])

  const closeWhenLeft = (event: FocusEvent) => {
    const next = event.relatedTarget
    if (!menu.current?.contains(next) && next !== button.current) onClose(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      return onClose()
    }
    const buttons = [...(menu.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])]
    const stops = buttons.filter((one) => one.offsetParent !== null)
    const at = stops.findIndex((stop) => stop.matches(':focus'))
    const next = nextStop(event, at, stops.length, 'vertical')
    if (next === undefined) return
    event.preventDefault()
    stops[next]?.focus()
  }
  return createPortal(
    <div
      ref={menu}
      id={id}
      className="menu stage-menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      style={place ?? { visibility: 'hidden' }}
      onKeyDown={onKeyDown}
      onBlur={closeWhenLeft}
    >
      {items.map((item) => (
        <Item key={item.name} item={item} onClose={onClose} />
      ))}
    </div>,
    // Inside the stage, to inherit its colours.
    document.querySelector('.stage') ?? document.body,
  )
}

function Item({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const reasonId = useId()
  return (
    <>
      {item.heading && (
        <p className="stage-menu-heading" aria-hidden="true">
          {item.heading}
        </p>
      )}
      <button
        type="button"
        {...roleOf(item)}
        aria-label={item.heading ? `${item.heading} ${item.label}` : undefined}
        disabled={item.reason !== undefined}
        aria-describedby={item.reason && reasonId}
        tabIndex={-1}
        className={item.danger ? 'stage-menu-danger' : item.narrow ? 'stage-narrow' : undefined}
        onClick={() => {
          onClose()
          item.onPress()
        }}
      >
        {item.icon && <Icon of={item.icon} size="small" />}
        {item.label}
        {item.kind && item.checked && <Icon of={IconCheck} size="small" className="stage-menu-check" />}
      </button>
      {/* read as the description of the button */}
      {item.reason && (
        <p id={reasonId} className="stage-menu-reason" aria-hidden="true">
          {item.reason}
        </p>
      )}
    </>
  )
}

const margin = 8

/** Places the menu above or below the button, where there is more space, and always within the window. */
function beside(button: HTMLElement, menu: HTMLElement): CSSProperties {
  const at = button.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const below = window.innerHeight - at.bottom
  const isBelow = below >= height + margin || below >= at.top
  const left = Math.min(Math.max(margin, at.left), window.innerWidth - width - margin)
  const room = (isBelow ? below : at.top) - 2 * margin
  return {
    left: Math.max(margin, left),
    maxHeight: room,
    ...(isBelow ? { top: at.bottom + margin / 2 } : { bottom: window.innerHeight - at.top + margin / 2 }),
  }
}
