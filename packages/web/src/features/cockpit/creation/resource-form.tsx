import type { CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import { ResourceFields } from '../../../domain/new-objects/resource-fields.tsx'
import { call } from '../../../platform/api/api.ts'
import { CreationForm, useCreationForm } from './creation-form.tsx'
import { CreationPage } from './creation-page.tsx'
import { useCreationPrice } from './use-creation-price.ts'

/** A new resource of a customer. */
export function NewCustomerResourcePage() {
  return <CreationPage kind="resources">{(offer) => <ResourceForm offer={offer} />}</CreationPage>
}

function ResourceForm({ offer }: { offer: CreationOffer }) {
  const { domains } = offer
  const form = useCreationForm('resources', {
    initial: { name: '', domain: domains[0] ?? '', reason: '' },
    create: ({ name, domain, reason }) =>
      call('POST /api/v4/accounts/{id}/resources', {
        params: { id: String(offer.owner.id) },
        body: { name: name.trim() || null, domain: domain || null, reason },
      }),
  })
  const price = useCreationPrice(offer, 'resources')
  return (
    <CreationForm kind="resources" offer={offer} form={form} reason={form.field('reason')} price={price}>
      <ResourceFields name={form.field('name')} domain={form.field('domain')} domains={domains} />
    </CreationForm>
  )
}
