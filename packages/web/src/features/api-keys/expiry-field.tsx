import { useT } from '../../i18n/i18n.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import type { Form } from '../../ui/form/use-form.ts'

/** When a key expires: after days, `date`, or `never`. The reader must choose. */
export interface ExpiryValues {
  expiry: string
  date: string
}

export const initialExpiry: ExpiryValues = { expiry: '90', date: '' }

const days = [30, 90, 365] as const

/** Returns the expiry in the server's format; null: never. */
export function expiryAt({ expiry, date }: ExpiryValues, now = new Date()): string | null {
  if (expiry === 'never') return null
  if (expiry === 'date') return `${date || '0000-00-00'} 23:59:59`
  return new Date(now.getTime() + Number(expiry) * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** The choice of an expiry. Errors of the server are at `expires_at`. */
export function ExpiryField<V extends ExpiryValues>({
  form,
  maxDays,
}: {
  form: Form<V>
  maxDays: number | null
}) {
  const t = useT()
  const { expiry } = form.values
  const error = form.errors.expires_at && errorLine(form.errors.expires_at)
  // the fields of `ExpiryValues`, which every form with this part has
  const part = form as unknown as Form<ExpiryValues>
  const options = [
    ...days
      .filter((count) => maxDays === null || count <= maxDays)
      .map((count) => ({ value: String(count), label: t('apikeys.days', { days: count }) })),
    { value: 'date', label: t('apikeys.onDate') },
    ...(maxDays === null ? [{ value: 'never', label: t('words.never') }] : []),
  ]
  return (
    <>
      <Select
        {...part.field('expiry')}
        name={expiry === 'date' ? 'expiry' : 'expires_at'}
        label={t('words.expires')}
        options={options}
        error={expiry === 'date' ? undefined : error}
        hint={expiry === 'never' ? t('apikeys.neverWarning') : undefined}
      />
      {expiry === 'date' && (
        <TextField
          {...part.field('date')}
          name="expires_at"
          type="date"
          label={t('words.date')}
          required
          error={error}
        />
      )}
    </>
  )
}
