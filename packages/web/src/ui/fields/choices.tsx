import type { ReactNode } from 'react'
import { type Glyph, Icon } from '../icon.tsx'
import { FieldNotes, fieldControl } from './field.tsx'
import './choices.css'

export interface Choice {
  value: string
  label: string
  /** Explanation below its label. */
  text?: string
  icon?: Glyph
}

export interface ChoicesProps {
  id: string
  name: string
  label: string
  choices: readonly Choice[]
  value: string
  onValue: (value: string) => void
  hint?: ReactNode
  error?: string
  disabled?: boolean
  /** Arranged in a grid, instead of a column. */
  grid?: boolean
  hideLabel?: boolean
}

/** Radio group with explanations. */
export function Choices(props: ChoicesProps) {
  const { id, name, label, choices, value, onValue, hint, error, disabled, grid, hideLabel } = props
  return (
    <fieldset className="field choices" disabled={disabled}>
      <legend className={hideLabel ? 'visually-hidden' : 'field-label'}>{label}</legend>
      <div className={grid ? 'choices-grid' : 'choices-list'}>
        {choices.map((choice, index) => (
          <label key={choice.value} className="choices-item">
            <input
              {...(index === 0 ? fieldControl(id, hint, error) : { id: `${id}-${choice.value}` })}
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onValue(choice.value)}
            />
            {choice.icon && <Icon of={choice.icon} />}
            <span>
              <b>{choice.label}</b>
              {choice.text && <span className="small text-3">{choice.text}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  )
}
