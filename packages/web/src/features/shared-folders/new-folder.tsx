import { call } from '../../app/api.ts'
import { useT } from '../../i18n/i18n.ts'
import { Choices } from '../../ui/choices.tsx'
import { DeletedAddressDialog } from '../../ui/deleted-address/deleted-address-dialog.tsx'
import { useDeletedAddress } from '../../ui/deleted-address/use-deleted-address.ts'
import { NewObjectForm, useNewObject } from '../../ui/directory/new-object.tsx'
import { DomainSelect } from '../../ui/domain-select/domain-select.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import { FormSection } from '../../ui/form-section.tsx'
import { ListInput } from '../../ui/list-input.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { folderKind } from './folder-kind.ts'
import { offeredTypes, typeIcons, typeLabels } from './folder-types.ts'

/** The form of a new shared folder. */
export function NewFolder({ domains }: { domains: readonly string[] }) {
  const t = useT()
  const types = offeredTypes()
  const offer = useDeletedAddress()
  const form = useNewObject(folderKind, {
    initial: { name: '', type: types[0] ?? 'mail', domain: domains[0] ?? '', aliases: [] as string[] },
    create: ({ name, type, domain, aliases }) => {
      const body = {
        name: name.trim() || null,
        type,
        domain: domain || null,
        // Other folders have none; what was typed before the type was changed stays in the form alone.
        aliases: type === 'mail' ? aliases : [],
      }
      return offer.guarded({ aliases: body.aliases }, () => call('POST /api/v4/shared-folders', { body }))
    },
  })
  const { type, domain } = form.values
  const { type: typeError } = form.errors
  return (
    <NewObjectForm kind={folderKind} form={form}>
      <DeletedAddressDialog offer={offer} onReleased={() => form.submit()} />
      <FormSection title={t('directory.nameSection')} hint={t('folders.nameHint')}>
        <TextField
          {...form.field('name')}
          label={t('directory.name')}
          placeholder={t('folders.nameExample')}
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
      <FormSection title={t('folders.type')} hint={t('folders.typeHint')}>
        <Choices
          id="type"
          name="type"
          label={t('folders.type')}
          hideLabel
          grid
          choices={types.map((one) => ({ value: one, label: t(typeLabels[one]), icon: typeIcons[one] }))}
          value={type}
          onValue={(value) => form.set('type', types.find((one) => one === value) ?? type)}
          error={typeError && errorLine(typeError)}
        />
      </FormSection>
      {type === 'mail' && (
        <FormSection title={t('folders.aliases')} hint={t('folders.aliasesHint')}>
          <ListInput
            {...form.list('aliases')}
            label={t('folders.aliases')}
            placeholder={t('folders.aliasExample', { domain })}
          />
        </FormSection>
      )}
    </NewObjectForm>
  )
}
