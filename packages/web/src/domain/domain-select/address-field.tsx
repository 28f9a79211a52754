import type { ReactNode } from 'react'
import { TextField } from '../../ui/fields/text-field.tsx'
import { DomainSelect } from './domain-select.tsx'
import './address-field.css'

interface Part {
  id: string
  name: string
  value: string
  onValue: (value: string) => void
  error?: string
}

export interface AddressFieldProps {
  label: string
  /** The local part, or a whole address. */
  local: Part
  domainLabel: string
  domain: Part
  domains: readonly string[]
  hint?: ReactNode
}

/** A new address: the local part, and one of the account's domains. Accepts a pasted whole address. */
export function AddressField({ label, local, domainLabel, domain, domains, hint }: AddressFieldProps) {
  const change = (text: string) => {
    const [name = '', host, ...rest] = text.trim().split('@')
    const known = domains.find((one) => one === host?.toLowerCase())
    if (known === undefined || rest.length > 0) return local.onValue(text)
    local.onValue(name)
    domain.onValue(known)
  }
  const isWhole = local.value.includes('@')
  return (
    <div className={isWhole ? undefined : 'address-field'}>
      <TextField
        {...local}
        onValue={change}
        label={label}
        hint={hint}
        required
        exact
        inputMode="email"
        maxLength={191}
      />
      {!isWhole && (
        <>
          <span aria-hidden="true">@</span>
          <DomainSelect {...domain} label={domainLabel} domains={domains} />
        </>
      )}
    </div>
  )
}
