import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { type Glyph, Icon } from '../icon.tsx'
import { Field, type FieldProps } from './field.tsx'

type Native = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'name'
  | 'type'
  | 'required'
  | 'disabled'
  | 'readOnly'
  | 'placeholder'
  | 'autoComplete'
  | 'autoFocus'
  | 'autoCapitalize'
  | 'spellCheck'
  | 'inputMode'
  | 'maxLength'
  | 'list'
  | 'onKeyDown'
>

export interface TextFieldProps extends FieldProps, Native {
  value: string
  onValue: (value: string) => void
  /** Shown before the text. */
  icon?: Glyph
  /** Shown inside the field at its end, such as a button. */
  end?: ReactNode
  inputRef?: Ref<HTMLInputElement>
  /** For exact input such as addresses: disables autocorrection, capitalization and completion. */
  exact?: boolean
}

const exactly = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

export function TextField(props: TextFieldProps) {
  const { label, hint, error, optional, aside, hideLabel, ...rest } = props
  const { icon, end, value, onValue, inputRef, exact, ...native } = rest
  return (
    <Field
      id={native.id}
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      aside={aside}
      hideLabel={hideLabel}
    >
      {(control) => (
        <div className="adorned" data-icon={icon ? '' : undefined} data-end={end ? '' : undefined}>
          {icon && <Icon of={icon} className="adorned-icon" />}
          <input
            {...(exact && exactly)}
            {...native}
            {...control}
            ref={inputRef}
            className="input"
            value={value}
            onChange={(event) => onValue(event.target.value)}
          />
          {end}
        </div>
      )}
    </Field>
  )
}
