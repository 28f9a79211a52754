import { useState } from 'react'
import { type Glyph, Icon } from '../icon.tsx'
import { Button } from './button.tsx'
import { useMenu } from './use-menu.ts'
import './menu.css'

export interface MenuAction {
  label: string
  icon?: Glyph
  onPress: () => unknown
  /** Destructive; separated from the others. */
  danger?: boolean
}

export interface ActionMenuProps {
  label: string
  icon: Glyph
  busyLabel?: string
  actions: readonly MenuAction[]
  /** Icon only; `label` is its accessible name. */
  compact?: boolean
  primary?: boolean
}

/** Button with a menu of actions. It is busy while one of them is in progress. */
export function ActionMenu({ label, icon, busyLabel, actions, compact, primary }: ActionMenuProps) {
  const [busy, setBusy] = useState(false)
  const { open, id, root, button, close, closeWhenLeft, onKeyDown, toggle } = useMenu()

  const act = async (action: MenuAction) => {
    close()
    setBusy(true)
    try {
      await action.onPress()
    } catch {
      // Already reported by the action.
    } finally {
      setBusy(false)
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only detects when the focus leaves the menu
    <div className="choice" ref={root} onBlur={closeWhenLeft}>
      <Button
        ref={button}
        icon={icon}
        variant={compact ? 'quiet' : primary ? 'primary' : undefined}
        size={compact ? 'small' : undefined}
        label={compact ? label : undefined}
        full={!compact}
        busy={busy}
        busyLabel={busyLabel}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPress={toggle}
      >
        {!compact && label}
      </Button>
      {open && (
        <div className="menu" role="menu" id={id} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {actions.map((action) => (
            <button
              key={action.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={action.danger ? 'menu-danger' : undefined}
              onClick={() => void act(action)}
            >
              {action.icon && <Icon of={action.icon} />}
              {action.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
