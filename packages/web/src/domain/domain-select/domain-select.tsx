import { displayDomain } from '@gatehouse/contract/canonical-address'
import type { FieldProps } from '../../ui/fields/field.tsx'
import { Select, type SelectOption } from '../../ui/fields/select.tsx'

export interface DomainSelectProps extends FieldProps {
  name?: string
  value: string
  onValue: (domain: string) => void
  /** Names of the account's confirmed domains, from `useOwnDomains`. */
  domains: readonly string[]
  /** Additional options, such as a typed domain. */
  more?: readonly SelectOption[]
  disabled?: boolean
}

/** Selects one of the account's confirmed domains. */
export function DomainSelect({ domains, more = [], ...field }: DomainSelectProps) {
  const options = [...domains.map((domain) => ({ value: domain, label: displayDomain(domain) })), ...more]
  return <Select {...field} options={options} />
}
