import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import type { Routes } from '../../platform/api/http.ts'
import { useLocation } from '../../router/router-context.tsx'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import { ClaimList } from './claim-list.tsx'
import { OAuthCard } from './oauth-card.tsx'

type Answer = Routes['POST /api/oauth/device']['ok']
type Client = Extract<Answer, { status: 'prompt' }>['client']

interface Outcome {
  message: string
  isAllowed: boolean
}

/** Connects a device without a browser by the code it shows (RFC 8628). */
export function DevicePage() {
  const t = useT()
  const code = codeIn(useLocation().search)
  const [asked, setAsked] = useState<{ code: string; client: Client }>()
  const [done, setDone] = useState<Outcome>()
  if (done) {
    return (
      <OAuthCard title={t('oauth.device')}>
        <Note tone={done.isAllowed ? 'success' : 'info'} live title={done.message}>
          {t(done.isAllowed ? 'oauth.deviceDone' : 'oauth.deviceRefused')}
        </Note>
        <ButtonLink to="/dashboard">{t('error.toDashboard')}</ButtonLink>
      </OAuthCard>
    )
  }
  if (asked) return <Decision {...asked} onDone={setDone} onOther={() => setAsked(undefined)} />
  return <CodeForm initial={code} onFound={(found, client) => setAsked({ code: found, client })} />
}

/** Reads the code from a URL that a device showed as a QR code. */
function codeIn(search: unknown): string {
  const code = typeof search === 'object' && search !== null && 'user_code' in search ? search.user_code : ''
  return typeof code === 'string' ? code.slice(0, 20) : ''
}

interface CodeFormProps {
  initial: string
  onFound: (code: string, client: Client) => void
}

function CodeForm({ initial, onFound }: CodeFormProps) {
  const t = useT()
  const form = useForm({
    initial: { user_code: initial },
    submit: async ({ user_code }) => {
      const answer = await call('POST /api/oauth/device', { body: { user_code } })
      if (answer.status === 'prompt') onFound(user_code, answer.client)
    },
  })
  return (
    <OAuthCard title={t('oauth.device')} facts={t('oauth.deviceFacts')}>
      <form {...form.props} className="stack">
        <TextField
          {...form.field('user_code')}
          label={t('words.code')}
          hint={t('oauth.codeHint')}
          placeholder="ABCD-EFGH"
          maxLength={20}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus
        />
        <div>
          <Button type="submit" variant="primary" busy={form.busy}>
            {t('words.continue')}
          </Button>
        </div>
      </form>
    </OAuthCard>
  )
}

interface DecisionProps {
  code: string
  client: Client
  onDone: (outcome: Outcome) => void
  onOther: () => void
}

function Decision({ code, client, onDone, onOther }: DecisionProps) {
  const t = useT()
  const decide = async (decision: 'allow' | 'deny') => {
    const answer = await call('POST /api/oauth/device', { body: { user_code: code, decision } }).catch(
      onOther,
    )
    if (answer?.status === 'success') onDone({ message: answer.message, isAllowed: decision === 'allow' })
  }
  return (
    <OAuthCard
      title={client.name}
      facts={displayAddress(client.email)}
      footer={
        <>
          <p>{t('oauth.deviceWarning', { code: code.toUpperCase() })}</p>
          <div className="oauth-answers">
            <Button variant="danger" onPress={() => decide('deny')}>
              {t('words.deny')}
            </Button>
            <Button className="oauth-allow" onPress={() => decide('allow')}>
              {t('words.allow')}
            </Button>
          </div>
        </>
      }
    >
      <p>{t('oauth.deviceIntro', { name: client.name })}</p>
      <ClaimList claims={client.claims} />
    </OAuthCard>
  )
}
