import type { AccountPolicies } from '@gatehouse/contract/policies'
import { useT } from '../../i18n/i18n.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel } from '../../ui/form/save-panel.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { MailPreview, useMailPreview } from './mail-preview.tsx'
import type { MailValues } from './use-policy-forms.ts'

export interface MailTabProps {
  policies: AccountPolicies
  form: Form<MailValues>
}

/** Policies for mail delivered to the account's members. */
export function MailTab({ policies, form }: MailTabProps) {
  const t = useT()
  const preview = useMailPreview(form)
  const offers = (name: AccountPolicies['mailDelivery'][number]) => policies.mailDelivery.includes(name)
  return (
    <SavePanel form={form} title={t('policies.mailTitle')} note={t('policies.mailNote')}>
      {offers('greylist_policy') && (
        <FormSection title={t('words.greylisting')} hint={t('policies.greylistText')}>
          <Checkbox {...form.check('greylist_policy')} label={t('policies.greylistOn')} />
          <MailPreview preview={preview} policy="greylist" />
        </FormSection>
      )}
      {offers('itip_policy') && (
        <FormSection title={t('words.calendarInvitations')} hint={t('policies.itipText')}>
          <Checkbox {...form.check('itip_policy')} label={t('policies.itipOn')} />
        </FormSection>
      )}
      {offers('externalsender_policy') && (
        <FormSection title={t('words.externalSenderWarning')} hint={t('policies.externalText')}>
          <Checkbox {...form.check('externalsender_policy')} label={t('policies.externalOn')} />
          {offers('externalsender_policy_domains') && (
            <ListInput
              {...form.list('externalsender_policy_domains')}
              label={t('words.internalDomains')}
              hint={t('policies.domainsText')}
              placeholder={t('policies.domainsExample')}
            />
          )}
          <MailPreview preview={preview} policy="external" />
        </FormSection>
      )}
    </SavePanel>
  )
}
