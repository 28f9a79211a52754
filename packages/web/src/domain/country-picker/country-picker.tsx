import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import { type ReactNode, useState } from 'react'
import { useLanguage, useT } from '../../i18n/i18n.ts'
import { FieldNotes, fieldControl } from '../../ui/fields/field.tsx'
import { errorLine, type FieldError } from '../../ui/form/field-errors.ts'
import { Icon } from '../../ui/icon.tsx'
import { countryNames } from './countries.ts'
import { CountryDialog } from './country-dialog.tsx'
import './country-picker.css'

/** `useForm().list(name)` gives `id`, `value`, `onValue` and `error`. */
export interface CountryPickerProps {
  id: string
  name?: string
  label: string
  /** Next to the label, such as a tag. */
  mark?: ReactNode
  hint?: ReactNode
  error?: FieldError
  /** ISO 3166-1 codes; empty means no restriction. */
  value: readonly string[]
  onValue: (codes: string[]) => void
}

/** A button that shows the selected countries and opens the map to select others. */
export function CountryPicker({ id, label, mark, hint, error, value, onValue }: CountryPickerProps) {
  const t = useT()
  const language = useLanguage()
  const [open, setOpen] = useState(false)
  const problem = error && errorLine(error)
  return (
    <div className="field">
      <div className="field-label country-picker-label">
        <label htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
        {mark}
      </div>
      <button
        {...fieldControl(id, hint, problem)}
        type="button"
        className="input country-picker"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}-value`}
        onClick={() => setOpen(true)}
      >
        <Icon of={IconWorld} size="small" />
        <span id={`${id}-value`}>
          {value.length > 0 ? countryNames(value, language) : t('countries.noRestriction')}
        </span>
      </button>
      <FieldNotes id={id} hint={hint} error={problem} />
      {open && <CountryDialog title={label} value={value} onSave={onValue} onClose={() => setOpen(false)} />}
    </div>
  )
}
