import { type ImportSecurity, importSecurities } from '@gatehouse/contract/mail/import-terms'
import { useT } from '../../i18n/i18n.ts'
import { type Answer, call } from '../../platform/api/api.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormPanel } from '../../ui/form/form-panel.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import { guessServer } from './guess-server.ts'

/** How the old server is reached. */
export interface OldServer {
  readonly host: string
  readonly port: number
  readonly security: ImportSecurity
  readonly login: string
  readonly password: string
}

export type Preview = Answer<'POST /api/v4/users/{id}/mail-imports/preview'>

interface Values {
  login: string
  password: string
  host: string
  port: string
  security: string
}

const initial: Values = { login: '', password: '', host: '', port: '993', security: 'tls' }

export interface ServerFormProps {
  id: string
  onPreview: (server: OldServer, preview: Preview) => void
}

/** The first step: the old mailbox. The server is guessed from the address. */
export function ServerForm({ id, onPreview }: ServerFormProps) {
  const t = useT()
  const form: Form<Values> = useForm<Values>({
    initial,
    prefix: 'mail-import-',
    submit: async ({ port, security, ...others }) => {
      const known = importSecurities.find((one) => one === security) ?? 'tls'
      const server = { ...others, port: Number(port), security: known }
      const preview = await call('POST /api/v4/users/{id}/mail-imports/preview', {
        params: { id },
        body: server,
      })
      onPreview(server, preview)
    },
  })
  const { values } = form
  const { note } = guessServer(values.login) ?? {}
  const setLogin = (login: string) => {
    // a server that the user entered stays
    const isGuessed = values.host === '' || values.host === guessServer(values.login)?.host
    form.set('login', login)
    const server = guessServer(login)
    if (isGuessed && server !== undefined) form.set('host', server.host)
  }
  const setSecurity = (security: string) => {
    form.set('security', security)
    if (values.port === '993' || values.port === '143') form.set('port', security === 'tls' ? '993' : '143')
  }
  return (
    <FormPanel
      form={form}
      title={t('mailimport.server')}
      note={t('mailimport.serverNote')}
      submitLabel={t('mailimport.look')}
      busyLabel={t('mailimport.looking')}
    >
      <FormSection title={t('mailimport.mailbox')} hint={t('mailimport.mailboxText')}>
        <TextField
          {...form.field('login')}
          onValue={setLogin}
          label={t('words.userName')}
          hint={t('mailimport.loginHint')}
          placeholder="jane@example.org"
          exact
          required
          maxLength={320}
        />
        <PasswordField {...form.field('password')} label={t('words.password')} autoComplete="off" required />
        {note === 'app-password' && (
          <Note title={t('mailimport.appPassword')}>{t('mailimport.appPasswordText')}</Note>
        )}
        {note === 'unsupported' && (
          <Note tone="warning" title={t('mailimport.unsupported')}>
            {t('mailimport.unsupportedText')}
          </Note>
        )}
      </FormSection>
      <FormSection title={t('mailimport.connection')} hint={t('mailimport.connectionText')}>
        <TextField {...form.field('host')} label={t('mailimport.host')} exact required maxLength={253} />
        <div className="mail-import-pair">
          <Select
            {...form.field('security')}
            onValue={setSecurity}
            label={t('mailimport.security')}
            options={[
              { value: 'tls', label: 'TLS' },
              { value: 'starttls', label: 'STARTTLS' },
            ]}
          />
          <TextField
            {...form.field('port')}
            label={t('mailimport.port')}
            inputMode="numeric"
            exact
            required
          />
        </div>
      </FormSection>
    </FormPanel>
  )
}
