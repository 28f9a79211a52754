import type { ResourceDetail } from '@gatehouse/contract/directory/resources'
import { useConfigForm } from '../../domain/directory/use-object-forms.ts'
import { PersonField } from '../../domain/suggest/person-field.tsx'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { Choices } from '../../ui/fields/choices.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel } from '../../ui/form/save-panel.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import {
  type Policy,
  type PolicyValues,
  policies,
  policyLabels,
  readPolicy,
  writePolicy,
} from './invitation-policy.ts'

const texts: Record<Policy, MessageKey> = {
  accept: 'resources.acceptText',
  manual: 'resources.manualText',
  reject: 'resources.rejectText',
}

/** How a resource answers invitations. */
export function usePolicyForm(resource: ResourceDetail): Form<PolicyValues> {
  return useConfigForm('resource', resource, {
    valuesOf: ({ invitation_policy }) => readPolicy(invitation_policy),
    bodyOf: (values) => ({ invitation_policy: writePolicy(values) }),
  })
}

/** The Settings tab of a resource. */
export function SettingsTab({ form }: { form: Form<PolicyValues> }) {
  const t = useT()
  const { policy } = form.values
  const found = form.errors.invitation_policy
  const error = found && errorLine(found)
  const isManual = policy === 'manual'
  return (
    <SavePanel form={form} title={t('words.invitations')}>
      <FormSection title={t('resources.answer')} hint={t('resources.answerHint')}>
        <Choices
          id="policy"
          // The server reports errors of the whole setting; they are shown at the decider's field if there is one.
          name={isManual ? 'policy' : 'invitation_policy'}
          label={t('words.invitations')}
          hideLabel
          choices={policies.map((one) => ({ value: one, label: t(policyLabels[one]), text: t(texts[one]) }))}
          value={policy}
          onValue={(value) => form.set('policy', policies.find((one) => one === value) ?? 'accept')}
          error={isManual ? undefined : error}
        />
        {isManual && (
          <PersonField
            id="invitation_policy"
            name="invitation_policy"
            label={t('resources.decider')}
            hint={t('resources.deciderHint')}
            value={form.values.decider}
            onValue={(text) => form.set('decider', text)}
            error={error}
            besides={[form.values.decider]}
          />
        )}
      </FormSection>
    </SavePanel>
  )
}
