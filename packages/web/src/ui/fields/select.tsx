import type { SelectHTMLAttributes } from 'react'
import { Field, type FieldProps } from './field.tsx'

export interface SelectOption {
  value: string
  label: string
}

export interface SelectProps
  extends FieldProps,
    Pick<SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'required' | 'disabled' | 'autoComplete'> {
  value: string
  onValue: (value: string) => void
  options: readonly SelectOption[]
}

/** Native select: works with every keyboard, screen reader and phone. */
export function Select(props: SelectProps) {
  const { label, hint, error, optional, aside, hideLabel, value, onValue, options, ...native } = props
  const frame = { id: native.id, label, hint, error, optional, aside, hideLabel }
  return (
    <Field {...frame}>
      {(control) => (
        <select
          {...native}
          {...control}
          className="input"
          value={value}
          onChange={(event) => onValue(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
