import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { useQueryClient } from '@tanstack/react-query'
import { forgetKind } from '../../domain/directory/kind.ts'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { FormPanel } from '../../ui/form/form-panel.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { distlistKind, distlistQuery } from './distlist-kind.ts'

interface SenderValues {
  sender_policy: string[]
}

/** Who may write to a list. */
export function useSenderForm(list: GroupDetail): Form<SenderValues> {
  const client = useQueryClient()
  const save = useAct('POST /api/v4/groups/{id}/config')
  const form: Form<SenderValues> = useForm<SenderValues>({
    initial: { sender_policy: list.config.sender_policy.map(displayAddress) },
    submit: async ({ sender_policy }) => {
      const params = { id: String(list.id) }
      await save({ params, body: { sender_policy } })
      const { config } = await client.fetchQuery({ ...distlistQuery(list.id), staleTime: 0 })
      form.reset({ sender_policy: config.sender_policy.map(displayAddress) })
      forgetKind(client, distlistKind)
    },
  })
  return form
}

/** The Settings tab of a list. */
export function SettingsTab({ form }: { form: Form<SenderValues> }) {
  const t = useT()
  const { length } = form.values.sender_policy
  return (
    <FormPanel
      form={form}
      title={t('distlists.senders')}
      note={t(length === 0 ? 'distlists.everybody' : 'distlists.onlySome')}
    >
      <FormSection title={t('distlists.allowed')} hint={t('distlists.allowedHint')}>
        <ListInput
          {...form.list('sender_policy')}
          label={t('distlists.senders')}
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
