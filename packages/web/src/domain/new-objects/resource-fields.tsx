import { useT } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { FieldPart } from '../../ui/form/use-form.ts'
import { DomainSelect } from '../domain-select/domain-select.tsx'

export interface ResourceFieldsProps {
  name: FieldPart
  domain: FieldPart
  domains: readonly string[]
}

/** Name and domain of a new resource. */
export function ResourceFields({ name, domain, domains }: ResourceFieldsProps) {
  const t = useT()
  return (
    <FormSection title={t('directory.nameSection')} hint={t('resources.nameHint')}>
      <TextField
        {...name}
        label={t('words.name')}
        placeholder={t('resources.nameExample')}
        required
        autoComplete="off"
        maxLength={191}
      />
      <DomainSelect
        {...domain}
        label={t('words.domain')}
        hint={t('directory.addressMade')}
        domains={domains}
      />
    </FormSection>
  )
}
