import type { SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import { useT } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { FieldPart } from '../../ui/form/use-form.ts'
import type { Pricing } from '../subscriptions/discount.tsx'
import { PackageSelect } from '../subscriptions/package-select.tsx'
import type { PriceState } from '../subscriptions/use-price-preview.ts'

export interface DomainFieldsProps {
  namespace: FieldPart
  package: FieldPart
  packages: readonly SubscriptionPackage[]
  pricing: Pricing
  price: PriceState
}

/** Name and package of a new domain. */
export function DomainFields(props: DomainFieldsProps) {
  const { namespace, packages, pricing, price } = props
  const t = useT()
  return (
    <>
      <FormSection title={t('words.domain')} hint={t('domains.namespaceHint')}>
        <TextField
          {...namespace}
          label={t('words.domain')}
          placeholder={t('domains.namespaceExample')}
          hint={t('domains.namespaceNote')}
          required
          exact
          inputMode="url"
          maxLength={253}
        />
      </FormSection>
      <FormSection title={t('words.package')} hint={t('domains.packageHint')}>
        <PackageSelect
          {...props.package}
          label={t('words.package')}
          packages={packages}
          pricing={pricing}
          price={price}
        />
      </FormSection>
    </>
  )
}
