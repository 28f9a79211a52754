import type { CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import { fullAddress } from '../../../domain/domain-select/full-address.ts'
import { DistlistFields } from '../../../domain/new-objects/distlist-fields.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { CreationForm, useCreationForm } from './creation-form.tsx'
import { CreationPage } from './creation-page.tsx'
import { useCreationPrice } from './use-creation-price.ts'

/** A new distribution list of a customer. */
export function NewCustomerDistlistPage() {
  return <CreationPage kind="groups">{(offer) => <DistlistForm offer={offer} />}</CreationPage>
}

function DistlistForm({ offer }: { offer: CreationOffer }) {
  const t = useT()
  const { domains } = offer
  const form = useCreationForm('groups', {
    initial: { name: '', email: '', domain: domains[0] ?? '', members: [] as string[], reason: '' },
    create: ({ name, email, domain, members, reason }) =>
      call('POST /api/v4/accounts/{id}/groups', {
        params: { id: String(offer.owner.id) },
        body: { name: name.trim() || null, email: fullAddress(email, domain) || null, members, reason },
      }),
  })
  const price = useCreationPrice(offer, 'groups')
  return (
    <CreationForm kind="groups" offer={offer} form={form} reason={form.field('reason')} price={price}>
      <DistlistFields
        name={form.field('name')}
        local={form.field('email')}
        domain={form.field('domain')}
        domains={domains}
        members={form.list('members')}
        membersHint={t('creation.members')}
      />
    </CreationForm>
  )
}
