import type { CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import { offeredTypes } from '../../../domain/directory/folder-types.ts'
import { FolderFields } from '../../../domain/new-objects/folder-fields.tsx'
import { call } from '../../../platform/api/api.ts'
import { CreationForm, useCreationForm } from './creation-form.tsx'
import { CreationPage } from './creation-page.tsx'
import { useCreationPrice } from './use-creation-price.ts'

/** A new shared folder of a customer. */
export function NewCustomerFolderPage() {
  return <CreationPage kind="shared-folders">{(offer) => <FolderForm offer={offer} />}</CreationPage>
}

function FolderForm({ offer }: { offer: CreationOffer }) {
  const { domains } = offer
  const form = useCreationForm('shared-folders', {
    initial: {
      name: '',
      type: offeredTypes()[0] ?? 'mail',
      domain: domains[0] ?? '',
      aliases: [] as string[],
      reason: '',
    },
    create: ({ name, type, domain, aliases, reason }) =>
      call('POST /api/v4/accounts/{id}/shared-folders', {
        params: { id: String(offer.owner.id) },
        body: {
          name: name.trim() || null,
          type,
          domain: domain || null,
          // only mail folders have aliases
          aliases: type === 'mail' ? aliases : [],
          reason,
        },
      }),
  })
  const price = useCreationPrice(offer, 'shared-folders')
  return (
    <CreationForm kind="shared-folders" offer={offer} form={form} reason={form.field('reason')} price={price}>
      <FolderFields
        name={form.field('name')}
        domain={form.field('domain')}
        domains={domains}
        type={{
          value: form.values.type,
          onValue: (type) => form.set('type', type),
          error: form.errors.type,
        }}
        aliases={form.list('aliases')}
      />
    </CreationForm>
  )
}
