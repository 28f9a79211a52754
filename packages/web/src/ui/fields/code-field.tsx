import { TextField, type TextFieldProps } from './text-field.tsx'
import './code-field.css'

/** A short code copied from a mail; letters are converted to upper case. */
export function CodeField({
  onValue,
  ...props
}: Omit<TextFieldProps, 'type' | 'autoComplete' | 'autoCapitalize'>) {
  return (
    <div className="code-field">
      <TextField
        {...props}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
        onValue={(text) => onValue(text.toUpperCase())}
      />
    </div>
  )
}
