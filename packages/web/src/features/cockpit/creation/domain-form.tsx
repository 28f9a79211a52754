import type { CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import { DomainFields } from '../../../domain/new-objects/domain-fields.tsx'
import { pricingOf } from '../../../domain/subscriptions/discount.tsx'
import { call } from '../../../platform/api/api.ts'
import { CreationForm, useCreationForm } from './creation-form.tsx'
import { CreationPage } from './creation-page.tsx'
import { useCreationPrice } from './use-creation-price.ts'

/** A new domain of a customer. */
export function NewCustomerDomainPage() {
  return <CreationPage kind="domains">{(offer) => <DomainForm offer={offer} />}</CreationPage>
}

function DomainForm({ offer }: { offer: CreationOffer }) {
  const packages = offer.packages.filter((item) => item.isDomain)
  const form = useCreationForm('domains', {
    initial: { namespace: '', package: packages[0]?.id ?? '', reason: '' },
    create: ({ namespace, package: chosen, reason }) =>
      call('POST /api/v4/accounts/{id}/domains', {
        params: { id: String(offer.owner.id) },
        body: { namespace: namespace.trim() || null, package: chosen || null, reason },
      }),
  })
  const price = useCreationPrice(offer, 'domains', form.values.package)
  return (
    <CreationForm kind="domains" offer={offer} form={form} reason={form.field('reason')} price={price}>
      <DomainFields
        namespace={form.field('namespace')}
        package={form.field('package')}
        packages={packages}
        pricing={pricingOf(offer)}
        price={price}
      />
    </CreationForm>
  )
}
