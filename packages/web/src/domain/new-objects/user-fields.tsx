import type { SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import { type FieldWith, fieldsWith, userFields } from '@gatehouse/contract/directory/user-fields'
import { useT } from '../../i18n/i18n.ts'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { FieldPart, ListPart } from '../../ui/form/use-form.ts'
import type { Pricing } from '../subscriptions/discount.tsx'
import { PackageSelect } from '../subscriptions/package-select.tsx'
import type { PriceState } from '../subscriptions/use-price-preview.ts'
import { FieldPairs } from './field-pairs.tsx'
import { UserAddressField } from './user-address-field.tsx'

/** Returns the user's own domain, which may be public, followed by the account's confirmed domains. */
export function domainsOf(ownAddress: string, domains: readonly string[]): string[] {
  const own = ownAddress.split('@')[1] ?? ''
  return [...(own ? [own] : []), ...domains.filter((domain) => domain !== own)]
}

export interface UserFieldsProps {
  /** Returns the form field of a personal field. */
  field: (name: FieldWith<'isAskedFirst'>) => FieldPart
  /** The local part, or a whole address. */
  local: FieldPart
  domain: FieldPart
  domains: readonly string[]
  aliases: ListPart
}

/** Name and addresses of a new user. */
export function UserFields(props: UserFieldsProps) {
  const { field, local, domain, domains, aliases } = props
  const t = useT()
  return (
    <>
      <FormSection title={t('words.name')} hint={t('users.nameHint')}>
        <FieldPairs>
          {fieldsWith('isAskedFirst').map((name) => (
            <TextField
              key={name}
              {...field(name)}
              label={t(`userfields.${name}`)}
              optional={!('isListed' in userFields[name])}
              autoComplete="off"
              maxLength={userFields[name].max}
            />
          ))}
        </FieldPairs>
      </FormSection>
      <FormSection title={t('words.addresses')} hint={t('users.newAddressHint')}>
        <UserAddressField local={local} domain={domain} domains={domains} />
        <ListInput
          {...aliases}
          label={t('words.aliases')}
          placeholder={t('words.aliasExample', { domain: domain.value || 'example.org' })}
        />
      </FormSection>
    </>
  )
}

export interface UserPackageProps {
  field: FieldPart
  packages: readonly SubscriptionPackage[]
  pricing: Pricing
  price: PriceState
}

/** The package of a new user. */
export function UserPackage({ field, packages, pricing, price }: UserPackageProps) {
  const t = useT()
  return (
    <FormSection title={t('users.package')} hint={t('users.packageHint')}>
      <PackageSelect
        {...field}
        label={t('users.package')}
        packages={packages}
        pricing={pricing}
        price={price}
      />
    </FormSection>
  )
}
