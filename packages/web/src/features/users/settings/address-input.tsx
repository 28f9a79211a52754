import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import { useDeferredValue } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { useApiPage } from '../../../platform/api/query.tsx'
import { hasPermission } from '../../../platform/session/auth.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'

export interface AddressInputProps {
  id: string
  name: string
  value: string
  onValue: (value: string) => void
  error?: string
  /** The address that is no answer: nobody acts for themselves. */
  besides: string
}

/** The address of a user; who may see the users of the account is offered those that match. */
export function AddressInput({ besides, ...field }: AddressInputProps) {
  const t = useT()
  const search = useDeferredValue(field.value.trim())
  const users = useApiPage(
    'GET /api/v4/users',
    { query: { search: search || null, size: 8 } },
    { enabled: hasPermission('users') },
  )
  const offered = users.data?.list.filter(({ email }) => email !== besides && email !== field.value) ?? []
  const domain = displayDomain(besides.slice(besides.indexOf('@') + 1))
  return (
    <>
      <TextField
        {...field}
        type="email"
        required
        label={t('usersettings.address')}
        hint={t('usersettings.addressText', { domain })}
        exact
        list={`${field.id}-offered`}
      />
      <datalist id={`${field.id}-offered`}>
        {offered.map(({ id, email, first_name, last_name }) => (
          <option key={id} value={displayAddress(email)}>
            {[first_name, last_name].filter(Boolean).join(' ')}
          </option>
        ))}
      </datalist>
    </>
  )
}
