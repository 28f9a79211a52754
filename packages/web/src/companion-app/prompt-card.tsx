import { useEffect, useState } from 'react'
import { useT } from '../i18n/i18n.ts'
import { ApiError } from '../platform/api/api-error.ts'
import { reportError } from '../platform/api/report-error.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Facts } from '../ui/facts/facts.tsx'
import { Checkbox } from '../ui/fields/checkbox.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { Note } from '../ui/page/note.tsx'
import { Panel } from '../ui/page/panel.tsx'
import { deviceCall } from './device-session.ts'
import { placeName } from './place-name.ts'
import { programName } from './program-name.ts'
import type { WaitingAttempt } from './use-waiting.ts'

export interface PromptCardProps {
  attempt: WaitingAttempt
  username: string
  onDecided: (how: 'confirmed' | 'denied') => void
}

/** A pending sign-in: user, origin and client; approved with the number on its screen, or denied. */
export function PromptCard({ attempt, username, onDecided }: PromptCardProps) {
  const t = useT()
  const seconds = useSecondsTo(attempt.prompts.at(-1)?.expires_at)
  const isReset = attempt.prompts.some(({ service }) => service === 'reset')
  const withNumber = attempt.prompts.some(({ hasNumber }) => hasNumber)
  const form = useForm({
    initial: { number: '', remember: true },
    prefix: `${attempt.id}_`,
    submit: async ({ number, remember }) => {
      try {
        await deviceCall('POST /api/v4/auth-attempts/{id}/confirm', {
          params: { id: attempt.id },
          body: { remember, ...(withNumber && { number }) },
        })
        onDecided('confirmed')
      } catch (error) {
        if (!(error instanceof ApiError && error.errors)) reportError(error)
        throw error
      }
    },
  })

  const deny = async () => {
    try {
      await deviceCall('POST /api/v4/auth-attempts/{id}/deny', { params: { id: attempt.id } })
      onDecided('denied')
    } catch (error) {
      reportError(error)
    }
  }

  return (
    <Panel title={t(isReset ? 'companionapp.isItYouReset' : 'companionapp.isItYou')}>
      <form {...form.props} className="stack">
        {isReset && <Note tone="warning">{t('companionapp.resetText')}</Note>}
        <Facts
          facts={[
            { label: t('companionapp.account'), value: username },
            { label: t('companionapp.from'), value: placeName(attempt) },
            { label: t('companionapp.program'), value: programName(attempt.userAgent) || attempt.service },
            { label: t('companionapp.left'), value: t('companionapp.seconds', { seconds }) },
          ]}
        />
        {withNumber ? (
          <div className="companion-number">
            <TextField
              {...form.field('number')}
              label={t('companionapp.number')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={2}
              required
            />
          </div>
        ) : (
          <Note tone="warning">{t('companionapp.noNumber')}</Note>
        )}
        <Checkbox
          {...form.check('remember')}
          label={t('companionapp.remember')}
          hint={t('companionapp.rememberHint')}
        />
        <Button type="submit" variant="primary" size="large" full busy={form.busy}>
          {t(isReset ? 'companionapp.confirmReset' : 'companionapp.confirm')}
        </Button>
        <Button variant="danger-outline" size="large" full disabled={form.busy} onPress={deny}>
          {t('companionapp.deny')}
        </Button>
      </form>
    </Panel>
  )
}

/** Returns the remaining seconds until a moment. */
function useSecondsTo(moment: string | undefined): number {
  const left = () =>
    moment === undefined ? 0 : Math.max(0, Math.round((Date.parse(moment) - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1000)
    return () => clearInterval(timer)
  })
  return seconds
}
