import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { NewUserForm } from './use-new-user.ts'

const other = '*'

/** The address of a new user: what stands in front of the "@", and a domain of the account or another one. */
export function AddressField({ form, domains }: { form: NewUserForm; domains: readonly string[] }) {
  const t = useT()
  const [isOther, setOther] = useState(domains.length === 0)
  const { values } = form
  const isWhole = values.email.includes('@')
  const options = [
    ...domains.map((domain) => ({ value: domain, label: domain })),
    { value: other, label: t('users.otherDomain') },
  ]
  const choose = (domain: string) => {
    setOther(domain === other)
    form.set('domain', domain === other ? '' : domain)
  }
  return (
    <div className={isWhole ? undefined : 'users-new-address'}>
      <TextField
        {...form.field('email')}
        label={t('users.email')}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        maxLength={191}
      />
      {!isWhole && (
        <>
          <span aria-hidden="true">@</span>
          <div className="stack stack-tight">
            <Select
              id="domain-choice"
              label={t('users.domain')}
              options={options}
              value={isOther ? other : values.domain}
              onValue={choose}
            />
            {isOther && (
              <TextField
                {...form.field('domain')}
                label={t('users.otherDomainName')}
                hideLabel
                placeholder={t('users.otherDomainExample')}
                required
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                inputMode="url"
              />
            )}
          </div>
        </>
      )}
    </div>
  )
}
