import type { OAuthClient } from '@gatehouse/contract/sessions/oauth'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ObjectLoader } from '../../domain/directory/object-loader.tsx'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { useNavigate, useParams } from '../../router/router-context.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Facts } from '../../ui/facts/facts.tsx'
import { SavePanel, usePanelForm } from '../../ui/form/save-panel.tsx'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import { forgetClients } from './client-calls.ts'
import { ClientFields, type ClientValues } from './client-fields.tsx'
import { NewClientPage } from './new-client-page.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import './clients.css'

/** Page of an application, or the form for a new one. */
export function ClientPage() {
  // Parameters are untyped without registered routes.
  const params = useParams()
  const id = params.client ?? ''
  return id === 'new' ? <NewClientPage /> : <LoadedClient key={id} id={id} />
}

function LoadedClient({ id }: { id: string }) {
  const query = useApi('GET /api/v4/oauth/clients/{id}', { params: { id } })
  return (
    <SaveScope>
      <ObjectLoader query={query}>{(client) => <ClientScreen client={client} />}</ObjectLoader>
    </SaveScope>
  )
}

function ClientScreen({ client }: { client: OAuthClient }) {
  const t = useT()
  return (
    <>
      <PageHead
        title={client.name}
        status={client.disabled && <Tag>{t('clients.disabled')}</Tag>}
        facts={t('clients.since', { date: day(client.created_at) })}
        trail={[{ label: t('cockpit.clients'), to: '/oauth-clients' }]}
      />
      <div className="columns">
        <div className="stack">
          <ClientForm client={client} />
        </div>
        <aside>
          <Credentials client={client} />
        </aside>
      </div>
    </>
  )
}

function ClientForm({ client }: { client: OAuthClient }) {
  const t = useT()
  const act = useAct('PUT /api/v4/oauth/clients/{id}', forgetClients)
  const form = useForm<ClientValues>({
    initial: client,
    prefix: 'client-',
    submit: async ({ name, redirect_uris, post_logout_redirect_uris, scopes, grants, require_pkce }) => {
      const values = { name, redirect_uris, post_logout_redirect_uris, scopes, grants, require_pkce }
      const body = { ...values, scopes: [...scopes], grants: [...grants] }
      await act({ params: { id: client.id }, body }, () => form.reset(values))
    },
  })
  usePanelForm(form, t('words.application'))
  return (
    <>
      <SavePanel form={form} title={t('words.application')} note={t('clients.note')}>
        <ClientFields form={form} confidential={client.confidential} />
      </SavePanel>
      <UnsavedGuard form={form} />
    </>
  )
}

type Act = 'secret' | 'disable' | 'delete'

function Credentials({ client }: { client: OAuthClient }) {
  const t = useT()
  const act = useAct('PUT /api/v4/oauth/clients/{id}', forgetClients)
  const [asked, setAsked] = useState<Act>()
  const [secret, setSecret] = useState<string>()
  const params = { id: client.id }
  const toggle = async () => {
    const { disabled } = client
    const undo = () => call('PUT /api/v4/oauth/clients/{id}', { params, body: { disabled } })
    await act({ params, body: { disabled: !disabled } }, { undo })
  }
  return (
    <Panel title={t('clients.credentials')}>
      <div className="stack">
        <Facts
          facts={[
            {
              label: t('clients.kind'),
              value: t(client.confidential ? 'clients.confidential' : 'clients.public'),
            },
            { label: t('clients.algorithm'), value: <code>{client.id_token_alg}</code> },
          ]}
        />
        <div>
          <p className="field-label">{t('clients.id')}</p>
          <CopyValue boxed text={client.id} label={t('clients.copyId')} />
        </div>
        {client.built_in && <p className="small text-2">{t('clients.builtIn')}</p>}
        <div className="clients-acts">
          {client.confidential && !client.built_in && (
            <Button onPress={() => setAsked('secret')}>{t('clients.newSecret')}</Button>
          )}
          <Button onPress={client.disabled ? toggle : () => setAsked('disable')}>
            {t(client.disabled ? 'clients.enable' : 'clients.disable')}
          </Button>
          {!client.built_in && (
            <Button variant="danger-outline" onPress={() => setAsked('delete')}>
              {t('dialog.delete')}
            </Button>
          )}
        </div>
      </div>
      <Question
        client={client}
        act={asked}
        onClose={() => setAsked(undefined)}
        onToggle={toggle}
        onSecret={setSecret}
      />
      {secret && <SecretDialog id={client.id} secret={secret} onClose={() => setSecret(undefined)} />}
    </Panel>
  )
}

interface QuestionProps {
  client: OAuthClient
  act: Act | undefined
  onClose: () => void
  onToggle: () => Promise<void>
  onSecret: (secret: string) => void
}

/** Confirms actions that can't be undone or affect the application's users. */
function Question({ client, act, onClose, onToggle, onSecret }: QuestionProps) {
  const t = useT()
  const makeSecret = useAct('POST /api/v4/oauth/clients/{id}/secret')
  const end = useAct('DELETE /api/v4/oauth/clients/{id}')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const params = { id: client.id }
  const renew = async () => {
    const { secret } = await makeSecret({ params })
    onSecret(secret)
  }
  const remove = async () => {
    await end({ params })
    await navigate({ to: '/oauth-clients', replace: true })
    await forgetClients(cache)
  }
  if (!act) return null
  const { name } = client
  const questions = {
    secret: {
      title: 'clients.secretTitle',
      text: 'clients.secretText',
      label: 'clients.newSecret',
      go: renew,
    },
    disable: {
      title: 'clients.disableTitle',
      text: 'clients.disableText',
      label: 'clients.disable',
      go: onToggle,
    },
    delete: { title: 'words.deleteTitle', text: 'clients.deleteText', label: 'dialog.delete', go: remove },
  } as const
  const { title, text, label, go } = questions[act]
  const look = act === 'delete' ? { preset: 'delete' as const } : { dismiss: true }
  return (
    <Dialog
      open
      cancelFocus
      title={t(title, { name })}
      onClose={onClose}
      actions={[{ ...look, label: t(label), onPress: go }]}
    >
      <p>{t(text, { name })}</p>
    </Dialog>
  )
}
