import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel, usePanelForm } from '../../ui/form/save-panel.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { rereadDomain } from './domain-calls.ts'

interface Values {
  spf_whitelist: string[]
}

/** Settings of a domain. */
export function SettingsTab({ domain }: { domain: DomainDetail }) {
  const t = useT()
  const client = useQueryClient()
  const save = useAct('POST /api/v4/domains/{id}/config')
  const form: Form<Values> = useForm<Values>({
    initial: { spf_whitelist: domain.config.spf_whitelist },
    submit: async (values) => {
      const params = { id: String(domain.id) }
      await save({ params, body: { ...values } })
      const { config } = await rereadDomain(client, domain.id)
      form.reset({ spf_whitelist: config.spf_whitelist })
    },
  })
  usePanelForm(form, t('domains.mail'), 'settings')
  return (
    <>
      <UnsavedGuard form={form} />
      <SavePanel form={form} title={t('domains.mail')}>
        <FormSection
          title={t('words.sendersBeyondSpf')}
          hint={rich(t('domains.spfHelp'), { b: (text) => <code>{text}</code> })}
        >
          <ListInput
            {...form.list('spf_whitelist')}
            label={t('domains.spfServers')}
            placeholder={t('domains.spfExample')}
            hint={t('domains.spfHint')}
          />
        </FormSection>
      </SavePanel>
    </>
  )
}
