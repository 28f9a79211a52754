import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { ReactNode } from 'react'
import { type Glyph, Icon } from '../icon.tsx'
import './note.css'

export type NoteTone = 'info' | 'success' | 'warning' | 'danger'

const icons: Record<NoteTone, Glyph> = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  danger: IconAlertTriangle,
}

export interface NoteProps {
  tone?: NoteTone
  /** Replaces the tone's own icon. */
  icon?: Glyph
  /** A short sentence in bold. */
  title?: ReactNode
  children?: ReactNode
  /** Buttons at the end. */
  actions?: ReactNode
  /** Announced when it appears while the page is open. */
  live?: boolean
}

/** A notice in the page. */
export function Note({
  tone = 'info',
  icon = icons[tone],
  title,
  children,
  actions,
  live = false,
}: NoteProps) {
  const role = tone === 'danger' ? 'alert' : 'status'
  return (
    <div className={`note note-${tone}`} role={live ? role : undefined}>
      <Icon of={icon} />
      <div className="note-text">
        {title && <b>{title}</b>} {children}
      </div>
      {actions}
    </div>
  )
}
