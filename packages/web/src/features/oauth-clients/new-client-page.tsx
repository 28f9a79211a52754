import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { FormPanel } from '../../ui/form/form-panel.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { forgetClients } from './client-calls.ts'
import { ClientFields, type ClientValues } from './client-fields.tsx'
import { SecretDialog } from './secret-dialog.tsx'

const initial: ClientValues = {
  name: '',
  redirect_uris: [],
  post_logout_redirect_uris: [],
  scopes: ['openid', 'email', 'profile'],
  grants: ['authorization_code', 'refresh_token'],
  require_pkce: true,
}

/** Registers an application. */
export function NewClientPage() {
  const t = useT()
  const create = useAct('POST /api/v4/oauth/clients', forgetClients)
  const navigate = useNavigate()
  const [kind, setKind] = useState<'confidential' | 'public'>('confidential')
  const [made, setMade] = useState<{ id: string; secret: string | null }>()
  const form = useForm<ClientValues>({
    initial,
    prefix: 'client-',
    submit: async (values) => {
      const body = {
        ...values,
        scopes: [...values.scopes],
        grants: [...values.grants],
        confidential: kind === 'confidential',
      }
      await create({ body }, ({ id, secret }) => {
        form.reset(values)
        setMade({ id, secret })
      })
    },
  })
  return (
    <>
      <PageHead title={t('clients.new')} trail={[{ label: t('cockpit.clients'), to: '/oauth-clients' }]} />
      <FormPanel form={form} title={t('words.application')} submitLabel={t('clients.create')}>
        <FormSection title={t('clients.kind')} hint={t('clients.kindHint')}>
          <Choices
            id="client-kind"
            name="kind"
            label={t('clients.kind')}
            hideLabel
            value={kind}
            onValue={(value) => setKind(value === 'public' ? 'public' : 'confidential')}
            choices={[
              {
                value: 'confidential',
                label: t('clients.confidential'),
                text: t('clients.confidentialText'),
              },
              { value: 'public', label: t('clients.public'), text: t('clients.publicText') },
            ]}
          />
        </FormSection>
        <ClientFields form={form} confidential={kind === 'confidential'} />
      </FormPanel>
      {!made && <UnsavedGuard form={form} />}
      {made && (
        <SecretDialog
          {...made}
          onClose={() => void navigate({ to: `/oauth-client/${made.id}`, replace: true })}
        />
      )}
    </>
  )
}
