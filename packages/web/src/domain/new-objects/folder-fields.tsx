import type { FolderType } from '@gatehouse/contract/directory/folders'
import { useT } from '../../i18n/i18n.ts'
import { Choices } from '../../ui/fields/choices.tsx'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { errorLine, type FieldError } from '../../ui/form/field-errors.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { FieldPart, ListPart } from '../../ui/form/use-form.ts'
import { offeredTypes, typeIcons, typeLabels } from '../directory/folder-types.ts'
import { DomainSelect } from '../domain-select/domain-select.tsx'

export interface FolderFieldsProps {
  name: FieldPart
  domain: FieldPart
  domains: readonly string[]
  type: { value: FolderType; onValue: (type: FolderType) => void; error?: FieldError }
  aliases: ListPart
}

/** Name, domain, type and aliases of a new shared folder. */
export function FolderFields({ name, domain, domains, type, aliases }: FolderFieldsProps) {
  const t = useT()
  const types = offeredTypes()
  return (
    <>
      <FormSection title={t('directory.nameSection')} hint={t('folders.nameHint')}>
        <TextField
          {...name}
          label={t('words.name')}
          placeholder={t('folders.nameExample')}
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
      <FormSection title={t('words.type')} hint={t('folders.typeHint')}>
        <Choices
          id="type"
          name="type"
          label={t('words.type')}
          hideLabel
          grid
          choices={types.map((one) => ({ value: one, label: t(typeLabels[one]), icon: typeIcons[one] }))}
          value={type.value}
          onValue={(value) => type.onValue(types.find((one) => one === value) ?? type.value)}
          error={type.error && errorLine(type.error)}
        />
      </FormSection>
      {type.value === 'mail' && (
        <FormSection title={t('words.aliases')} hint={t('folders.aliasesHint')}>
          <ListInput
            {...aliases}
            label={t('words.aliases')}
            placeholder={t('words.aliasExample', { domain: domain.value })}
          />
        </FormSection>
      )}
    </>
  )
}
