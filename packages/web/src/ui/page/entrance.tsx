import type { ReactNode } from 'react'
import { type Glyph, Icon } from '../icon.tsx'
import './entrance.css'

export interface EntranceProps {
  title: string
  /** Shown above the title, such as the number of a step. */
  over?: ReactNode
  /** One sentence below the title. */
  lead: ReactNode
  /** The form. */
  children: ReactNode
  /** An `aside` with alternatives. */
  aside?: ReactNode
}

/** Frame of a screen for visitors: the form in a card on the left, alternatives on the right. */
export function Entrance({ title, over, lead, children, aside }: EntranceProps) {
  return (
    <div className="entry">
      <section className="stack" aria-labelledby="entry-title">
        <div>
          {over}
          <h1 id="entry-title">{title}</h1>
          {lead && <p className="text-2">{lead}</p>}
        </div>
        {children}
      </section>
      {aside}
    </div>
  )
}

export interface WayProps {
  icon: Glyph
  title: string
  text: ReactNode
  children?: ReactNode
}

/** An entry of the list `ways` beside the form. */
export function Way({ icon, title, text, children }: WayProps) {
  return (
    <li>
      <Icon of={icon} />
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
        {children}
      </div>
    </li>
  )
}
