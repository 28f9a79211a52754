import type { ReactNode } from 'react'
import { type Glyph, Icon } from '../icon.tsx'
import { useMenu } from './use-menu.ts'
import './menu.css'

export interface MenuChoice {
  name: string
  label: string
  icon?: Glyph
  lang?: string
}

export interface ChoiceMenuProps {
  label: string
  /** Content of the button. */
  face: ReactNode
  className?: string
  choices: readonly MenuChoice[]
  chosen: string
  onChoose: (name: string) => void
}

/** Button with a menu to choose one option. */
export function ChoiceMenu({ label, face, className, choices, chosen, onChoose }: ChoiceMenuProps) {
  const { open, id, root, button, close, closeWhenLeft, onKeyDown, toggle } = useMenu()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only detects when the focus leaves the menu
    <div className="choice" ref={root} onBlur={closeWhenLeft}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={toggle}
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
