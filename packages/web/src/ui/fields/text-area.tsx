import type { TextareaHTMLAttributes } from 'react'
import { Field, type FieldProps } from './field.tsx'

type Native = Pick<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'name' | 'required' | 'disabled' | 'readOnly' | 'placeholder' | 'rows' | 'maxLength'
>

export interface TextAreaProps extends FieldProps, Native {
  value: string
  onValue: (value: string) => void
}

export function TextArea(props: TextAreaProps) {
  const { label, hint, error, optional, aside, hideLabel, value, onValue, ...native } = props
  const frame = { id: native.id, label, hint, error, optional, aside, hideLabel }
  return (
    <Field {...frame}>
      {(control) => (
        <textarea
          rows={5}
          {...native}
          {...control}
          className="input"
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}
