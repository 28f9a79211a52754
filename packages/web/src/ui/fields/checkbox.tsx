import type { ReactNode } from 'react'
import { FieldNotes, fieldControl } from './field.tsx'
import './field.css'

export interface CheckboxProps {
  id: string
  name?: string
  label: ReactNode
  hint?: ReactNode
  error?: string
  checked: boolean
  onChecked: (checked: boolean) => void
  required?: boolean
  disabled?: boolean
}

export function Checkbox({ label, hint, error, checked, onChecked, ...native }: CheckboxProps) {
  return (
    <div className="field">
      <label className="check">
        <input
          {...native}
          {...fieldControl(native.id, hint, error)}
          type="checkbox"
          checked={checked}
          onChange={(event) => onChecked(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      <FieldNotes id={native.id} hint={hint} error={error} />
    </div>
  )
}
