import { call } from '../../app/api.ts'
import { useT } from '../../i18n/i18n.ts'
import { NewObjectForm, useNewObject } from '../../ui/directory/new-object.tsx'
import { DomainSelect } from '../../ui/domain-select/domain-select.tsx'
import { FormSection } from '../../ui/form-section.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { resourceKind } from './resource-kind.ts'

/** The form of a new resource. */
export function NewResource({ domains }: { domains: readonly string[] }) {
  const t = useT()
  const form = useNewObject(resourceKind, {
    initial: { name: '', domain: domains[0] ?? '' },
    create: ({ name, domain }) =>
      call('POST /api/v4/resources', { body: { name: name.trim() || null, domain: domain || null } }),
  })
  return (
    <NewObjectForm kind={resourceKind} form={form}>
      <FormSection title={t('directory.nameSection')} hint={t('resources.nameHint')}>
        <TextField
          {...form.field('name')}
          label={t('directory.name')}
          placeholder={t('resources.nameExample')}
          required
          autoComplete="off"
          maxLength={191}
        />
        <DomainSelect
          {...form.field('domain')}
          label={t('directory.domain')}
          hint={t('directory.addressMade')}
          domains={domains}
        />
      </FormSection>
    </NewObjectForm>
  )
}
