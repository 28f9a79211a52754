import type { AccountPolicies } from '@gatehouse/contract/policies'
import { useT } from '../../i18n/i18n.ts'
import { Select } from '../../ui/fields/select.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel } from '../../ui/form/save-panel.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import type { StaffValues } from './use-policy-forms.ts'

export interface StaffTabProps {
  policies: AccountPolicies
  form: Form<StaffValues>
}

const sources = {
  user: 'policies.byAccount',
  account: 'policies.byAccount',
  system: 'policies.byProvider',
} as const

/** Whether support staff may sign in as users of the account, and what that means. */
export function StaffTab({ policies: { staffAccess }, form }: StaffTabProps) {
  const t = useT()
  const { effective, usual } = staffAccess
  const usually = t(usual ? 'policies.staffAllowed' : 'policies.staffRefused')
  return (
    <SavePanel form={form} title={t('policies.staffTitle')} note={t('policies.staffNote')}>
      <FormSection title={t('policies.staffAccess')} hint={t('policies.staffText')}>
        <Select
          {...form.field('staff_access_policy')}
          label={t('policies.staffMay')}
          hint={t('policies.inEffect', {
            value: t(effective.value ? 'policies.staffAllowed' : 'policies.staffRefused'),
            source: t(sources[effective.source]),
          })}
          options={[
            { value: '', label: t('policies.asProvider', { value: usually }) },
            { value: 'true', label: t('words.allow') },
            { value: 'false', label: t('policies.staffRefuse') },
          ]}
        />
        <ul className="policy-facts small text-2">
          <li>{t('policies.staffSeen')}</li>
          <li>{t('policies.staffLimits')}</li>
          <li>{t('policies.staffWithout')}</li>
        </ul>
      </FormSection>
    </SavePanel>
  )
}
