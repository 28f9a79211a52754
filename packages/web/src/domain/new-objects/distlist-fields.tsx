import { useT } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { FieldPart, ListPart } from '../../ui/form/use-form.ts'
import { AddressList } from '../address-list/address-list.tsx'
import { AddressField } from '../domain-select/address-field.tsx'

export interface DistlistFieldsProps {
  name: FieldPart
  /** The local part, or a whole address. */
  local: FieldPart
  domain: FieldPart
  domains: readonly string[]
  members: ListPart
  /** Suggests addresses in the reader's own account. */
  suggest?: boolean
  /** Hint about allowed recipients; absent if anyone is allowed. */
  membersHint?: string
}

/** Name, address and recipients of a new distribution list. */
export function DistlistFields(props: DistlistFieldsProps) {
  const { name, local, domain, domains, members, suggest, membersHint } = props
  const t = useT()
  return (
    <>
      <FormSection title={t('directory.nameSection')} hint={t('distlists.nameHint')}>
        <TextField {...name} label={t('words.name')} required autoComplete="off" maxLength={191} />
        <AddressField
          label={t('words.address')}
          local={local}
          domainLabel={t('words.domain')}
          domain={domain}
          domains={domains}
        />
      </FormSection>
      <FormSection title={t('words.members')} hint={membersHint ?? t('distlists.membersHint')}>
        <AddressList
          {...members}
          label={t('words.members')}
          hint={t('distlists.pasteHint')}
          placeholder={t('distlists.memberExample', { domain: domain.value })}
          suggest={suggest}
        />
      </FormSection>
    </>
  )
}
