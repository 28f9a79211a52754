import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import '../domain-select/address-field.css'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import type { FieldPart } from '../../ui/form/use-form.ts'

const other = '*'

export interface UserAddressFieldProps {
  /** The local part, or a whole address. */
  local: FieldPart
  domain: FieldPart
  /** Domains to choose from. */
  domains: readonly string[]
}

/** The address of a new user: the local part, and a domain of the account or another one. */
export function UserAddressField({ local, domain, domains }: UserAddressFieldProps) {
  const t = useT()
  const [isOther, setOther] = useState(domains.length === 0)
  const isWhole = local.value.includes('@')
  const options = [
    ...domains.map((name) => ({ value: name, label: name })),
    { value: other, label: t('users.otherDomain') },
  ]
  const choose = (name: string) => {
    setOther(name === other)
    domain.onValue(name === other ? '' : name)
  }
  return (
    <div className={isWhole ? undefined : 'address-field'}>
      <TextField
        {...local}
        label={t('words.emailAddress')}
        required
        exact
        inputMode="email"
        maxLength={191}
      />
      {!isWhole && (
        <>
          <span aria-hidden="true">@</span>
          <div className="stack stack-tight">
            <Select
              id="domain-choice"
              label={t('words.domain')}
              options={options}
              value={isOther ? other : domain.value}
              onValue={choose}
            />
            {isOther && (
              <TextField
                {...domain}
                label={t('words.nameOfTheDomain')}
                hideLabel
                placeholder={t('users.otherDomainExample')}
                required
                exact
                inputMode="url"
              />
            )}
          </div>
        </>
      )}
    </div>
  )
}
