import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import './field.css'

/**
 * Common props of form fields; `useForm().field(name)` returns `id`, `name`, `value`, `onValue` and `error`.
 */
export interface FieldProps {
  id: string
  label: ReactNode
  /** Marks the field as optional. */
  optional?: boolean
  hint?: ReactNode
  error?: string
  /** At the end of the label's line, such as a link. */
  aside?: ReactNode
  /** Shows the label to screen readers only. */
  hideLabel?: boolean
}

/** Attributes that connect a control to its label, hint and error. */
export interface FieldControl {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** Frame of a field: label, control, hint and error. */
export function Field({
  children,
  ...props
}: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  const { id, label, optional, hint, error, aside, hideLabel } = props
  const t = useT()
  return (
    <div className="field">
      <div className={hideLabel ? 'visually-hidden' : 'field-label'}>
        <label htmlFor={id}>
          {label} {optional && <span className="field-optional">{t('form.optional')}</span>}
        </label>
        {aside}
      </div>
      {children(fieldControl(id, hint, error))}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

export function fieldControl(id: string, hint: ReactNode, error: string | undefined): FieldControl {
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { id, 'aria-describedby': notes || undefined, 'aria-invalid': error ? true : undefined }
}

/** Hint and error below a control. */
export function FieldNotes({ id, hint, error }: { id: string; hint?: ReactNode; error?: string }) {
  return (
    <>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          <Icon of={IconCircleX} size="small" />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  )
}
