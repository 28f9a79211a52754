import { call } from '../../app/api.ts'
import { useT } from '../../i18n/i18n.ts'
import { AddressList } from '../../ui/address-list/address-list.tsx'
import { DeletedAddressDialog } from '../../ui/deleted-address/deleted-address-dialog.tsx'
import { useDeletedAddress } from '../../ui/deleted-address/use-deleted-address.ts'
import { NewObjectForm, useNewObject } from '../../ui/directory/new-object.tsx'
import { AddressField } from '../../ui/domain-select/address-field.tsx'
import { fullAddress } from '../../ui/domain-select/full-address.ts'
import { FormSection } from '../../ui/form-section.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { distlistKind } from './distlist-kind.ts'

/** The form of a new distribution list. */
export function NewDistlist({ domains }: { domains: readonly string[] }) {
  const t = useT()
  const offer = useDeletedAddress()
  const form = useNewObject(distlistKind, {
    initial: { name: '', email: '', domain: domains[0] ?? '', members: [] as string[] },
    create: ({ name, email, domain, members }) => {
      const address = fullAddress(email, domain)
      const body = { name: name.trim() || null, email: address || null, members }
      return offer.guarded({ email: address }, () => call('POST /api/v4/groups', { body }))
    },
  })
  return (
    <NewObjectForm kind={distlistKind} form={form}>
      <DeletedAddressDialog offer={offer} onReleased={() => form.submit()} />
      <FormSection title={t('directory.nameSection')} hint={t('distlists.nameHint')}>
        <TextField
          {...form.field('name')}
          label={t('directory.name')}
          required
          autoComplete="off"
          maxLength={191}
        />
        <AddressField
          label={t('directory.email')}
          local={form.field('email')}
          domainLabel={t('directory.domain')}
          domain={form.field('domain')}
          domains={domains}
        />
      </FormSection>
      <FormSection title={t('distlists.members')} hint={t('distlists.membersHint')}>
        <AddressList
          {...form.list('members')}
          label={t('distlists.members')}
          hint={t('distlists.pasteHint')}
          placeholder={t('distlists.memberExample', { domain: form.values.domain })}
          suggest
        />
      </FormSection>
    </NewObjectForm>
  )
}
