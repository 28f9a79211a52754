import type { ReactNode } from 'react'
import { Field } from '../../ui/fields/field.tsx'
import { AddressCombobox } from './address-combobox.tsx'
import type { AddressSources } from './use-address-suggestions.ts'

export interface PersonFieldProps extends AddressSources {
  id: string
  name: string
  label: ReactNode
  value: string
  onValue: (value: string) => void
  hint?: ReactNode
  error?: string | undefined
  placeholder?: string
}

/** Form field for one person. */
export function PersonField({ label, hint, error, id, ...input }: PersonFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} {...(error && { error })}>
      {(control) => <AddressCombobox {...input} control={control} required />}
    </Field>
  )
}
