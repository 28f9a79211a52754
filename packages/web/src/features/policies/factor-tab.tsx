import type { AccountPolicies } from '@gatehouse/contract/policies'
import { useT } from '../../i18n/i18n.ts'
import { Choices } from '../../ui/fields/choices.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel } from '../../ui/form/save-panel.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import type { FactorValues } from './use-policy-forms.ts'

export interface FactorTabProps {
  policies: AccountPolicies
  form: Form<FactorValues>
}

/** Whether members of the account may sign in with a password alone, and the effect of changing that. */
export function FactorTab({ policies: { second_factor }, form }: FactorTabProps) {
  const t = useT()
  const wanted = form.values.second_factor_policy
  const isNew = wanted === 'required' && second_factor.value !== 'required'
  return (
    <SavePanel form={form} title={t('policies.factorTitle')} note={t('policies.factorNote')}>
      <FormSection title={t('policies.factorWho')} hint={t('policies.factorText')}>
        <Choices
          id="policy-second_factor_policy"
          name="second_factor_policy"
          label={t('policies.factorWho')}
          hideLabel
          disabled={second_factor.required}
          hint={second_factor.required && t('policies.required')}
          choices={[
            {
              value: 'optional',
              label: t('policies.factorOptional'),
              text: t('policies.factorOptionalText'),
            },
            {
              value: 'required',
              label: t('words.everybody'),
              text: t('policies.factorRequiredText'),
            },
          ]}
          value={wanted}
          onValue={(value) => form.set('second_factor_policy', value)}
          error={form.errors.second_factor_policy?.text}
        />
        {isNew && (
          <Note tone="warning" live title={t('policies.factorSoon')}>
            {t('policies.factorSoonText')}
          </Note>
        )}
      </FormSection>
    </SavePanel>
  )
}
