import { useState } from 'react'
import { useT } from '../i18n/i18n.ts'
import { ApiError } from '../platform/api/api-error.ts'
import { request } from '../platform/api/http.ts'
import { errorText } from '../platform/api/report-error.ts'
import { Button } from '../ui/buttons/button.tsx'
import { CodeField } from '../ui/fields/code-field.tsx'
import { PasswordField } from '../ui/fields/password-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { Note } from '../ui/page/note.tsx'
import { deviceId, keepSession } from './device-session.ts'
import type { PairingLink } from './pairing-link.ts'

/** Pairs this browser with the opened link or a typed code. */
export function PairScreen({
  link,
  onLinkUsed,
}: {
  link: PairingLink | undefined
  /** The link is no longer valid: it was used or rejected. */
  onLinkUsed: () => void
}) {
  const t = useT()
  const [failure, setFailure] = useState<string>()
  const [needsPassword, setNeedsPassword] = useState(link?.isRecovery ?? false)
  const form = useForm({
    initial: { code: '', name: '', password: '' },
    submit: async ({ code, name, password }) => {
      setFailure(undefined)
      const secret = link ? { companionId: link.companionId, secret: link.secret } : { code }
      try {
        keepSession(
          await request('POST /api/v4/companion/pair', {
            body: { ...secret, deviceId: deviceId(), name: name || null, password: password || null },
          }),
        )
        onLinkUsed()
      } catch (error) {
        if (error instanceof ApiError && error.errors?.password) setNeedsPassword(true)
        else setFailure(errorText(error))
        if (error instanceof ApiError && error.status === 401) onLinkUsed()
        throw error
      }
    },
  })

  return (
    <section className="stack" aria-labelledby="pair-title">
      <div>
        <h1 id="pair-title">{t('companionapp.pairTitle')}</h1>
        <p className="text-2">{t(link ? 'companionapp.pairByLink' : 'companionapp.pairByCode')}</p>
      </div>
      {failure && (
        <Note tone="danger" live>
          {failure}
        </Note>
      )}
      <form {...form.props} className="stack">
        {!link && (
          <CodeField
            {...form.field('code')}
            label={t('companionapp.code')}
            hint={t('companionapp.codeHint')}
            placeholder="ABCDE-12345"
            required
          />
        )}
        <TextField
          {...form.field('name')}
          label={t('companionapp.deviceName')}
          hint={t('companionapp.deviceNameHint')}
          maxLength={512}
          autoComplete="off"
          optional
        />
        {needsPassword && (
          <PasswordField
            {...form.field('password')}
            label={t('companionapp.password')}
            hint={t('companionapp.passwordHint')}
            autoComplete="current-password"
            required
          />
        )}
        <Button
          type="submit"
          variant="primary"
          size="large"
          full
          busy={form.busy}
          busyLabel={t('companionapp.pairing')}
        >
          {t('companionapp.pair')}
        </Button>
      </form>
    </section>
  )
}
