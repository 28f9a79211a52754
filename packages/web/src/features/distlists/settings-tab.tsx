import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { useConfigForm } from '../../domain/directory/use-object-forms.ts'
import { useT } from '../../i18n/i18n.ts'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { FormPanel } from '../../ui/form/form-panel.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { Form } from '../../ui/form/use-form.ts'

interface SenderValues {
  sender_policy: string[]
}

/** Who may write to a list. */
export function useSenderForm(list: GroupDetail): Form<SenderValues> {
  return useConfigForm('group', list, {
    valuesOf: ({ sender_policy }) => ({ sender_policy: sender_policy.map(displayAddress) }),
    bodyOf: (values) => ({ ...values }),
  })
}

/** The Settings tab of a list. */
export function SettingsTab({ form }: { form: Form<SenderValues> }) {
  const t = useT()
  const { length } = form.values.sender_policy
  return (
    <FormPanel
      form={form}
      title={t('words.allowedSenders')}
      note={t(length === 0 ? 'distlists.everybody' : 'distlists.onlySome')}
    >
      <FormSection title={t('distlists.allowed')} hint={t('distlists.allowedHint')}>
        <ListInput
          {...form.list('sender_policy')}
          label={t('words.allowedSenders')}
          placeholder={t('distlists.senderExample')}
          hint={
            <span className="stack stack-tight">
              <span>{t('distlists.senderAddress')}</span>
              <span>{t('distlists.senderDomain')}</span>
              <span>{t('distlists.senderSuffix')}</span>
            </span>
          }
        />
      </FormSection>
    </FormPanel>
  )
}
