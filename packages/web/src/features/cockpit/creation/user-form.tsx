import { displayAddress } from '@gatehouse/contract/canonical-address'
import { fieldsWith, forFields } from '@gatehouse/contract/directory/user-fields'
import type { CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import { fullAddress } from '../../../domain/domain-select/full-address.ts'
import { domainsOf, UserFields, UserPackage } from '../../../domain/new-objects/user-fields.tsx'
import { pricingOf } from '../../../domain/subscriptions/discount.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { CreationForm, useCreationForm } from './creation-form.tsx'
import { CreationPage } from './creation-page.tsx'
import { useCreationPrice } from './use-creation-price.ts'

/** A new user of a customer. */
export function NewCustomerUserPage() {
  return <CreationPage kind="users">{(offer) => <UserForm offer={offer} />}</CreationPage>
}

function UserForm({ offer }: { offer: CreationOffer }) {
  const t = useT()
  const params = { id: String(offer.owner.id) }
  const domains = domainsOf(offer.owner.email, offer.domains)
  const packages = offer.packages.filter((item) => !item.isDomain)
  const form = useCreationForm('users', {
    initial: {
      ...forFields(fieldsWith('isAskedFirst'), () => ''),
      email: '',
      domain: domains[0] ?? '',
      aliases: [] as string[],
      package: packages[0]?.id ?? '',
      reason: '',
    },
    create: ({ email, domain, ...rest }) =>
      call('POST /api/v4/accounts/{id}/users', {
        params,
        body: {
          ...rest,
          email: fullAddress(email, domain) || null,
          ...forFields(fieldsWith('isAskedFirst'), (name) => rest[name] || null),
        },
      }),
  })
  const price = useCreationPrice(offer, 'users', form.values.package)
  return (
    <CreationForm kind="users" offer={offer} form={form} reason={form.field('reason')} price={price}>
      <UserFields
        field={(name) => form.field(name)}
        local={form.field('email')}
        domain={form.field('domain')}
        domains={domains}
        aliases={form.list('aliases')}
      />
      <FormSection title={t('words.password')}>
        <p className="text-2">{t('creation.password', { owner: displayAddress(offer.owner.email) })}</p>
      </FormSection>
      <UserPackage
        field={form.field('package')}
        packages={packages}
        pricing={pricingOf(offer)}
        price={price}
      />
    </CreationForm>
  )
}
