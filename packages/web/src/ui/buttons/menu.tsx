import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { type Glyph, Icon } from '../icon.tsx'
import './menu.css'

export interface MenuChoice {
  name: string
  label: string
  icon?: Glyph
  lang?: string
}

export interface ChoiceMenuProps {
  label: string
  /** What the button shows. */
  face: ReactNode
  className?: string
  choices: readonly MenuChoice[]
  chosen: string
  onChoose: (name: string) => void
}

/** A button that opens a short list of which one entry is chosen. */
export function ChoiceMenu({ label, face, className, choices, chosen, onChoose }: ChoiceMenuProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (open) root.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus()
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const closeWhenLeft = (event: FocusEvent) => {
    if (!root.current?.contains(event.relatedTarget)) setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return close()
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitemradio"]') ?? [])]
    const at = items.findIndex((item) => item.matches(':focus'))
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    items.at(next % items.length)?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus has left the menu
    <div className="choice" ref={root} onBlur={closeWhenLeft}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {face}
      </button>
      {open && (
        <div className="menu" role="menu" id={id} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {choices.map((choice) => (
            <button
              key={choice.name}
              type="button"
              role="menuitemradio"
              aria-checked={choice.name === chosen}
              tabIndex={-1}
              lang={choice.lang}
              onClick={() => {
                close()
                onChoose(choice.name)
              }}
            >
              {choice.icon && <Icon of={choice.icon} />}
              {choice.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
