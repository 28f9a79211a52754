import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { Link } from '@tanstack/react-router'
import { type ComponentType, createElement, useState } from 'react'
import { ApiError } from '../../app/api-error.ts'
import { loadChunk } from '../../app/chunks.ts'
import { variant } from '../../app/config.ts'
import { reportError } from '../../app/report-error.ts'
import { type Credentials, login } from '../../app/session.ts'
import { loadMessages, useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Entrance } from '../../ui/entrance.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { canUsePasskeys } from '../../ui/proof/passkey-support.ts'
import { TextField } from '../../ui/text-field.tsx'
import { OtherWays } from './other-ways.tsx'
import type { SecondStepProps } from './second-step.tsx'
import './login.css'

/** The entrance: the form on the left, the other ways in on the right. */
export function LoginPage() {
  const t = useT()
  const isUser = variant() === 'user'
  return (
    <Entrance
      title={t('login.title')}
      lead={t(isUser ? 'login.lead' : 'login.leadStaff')}
      aside={isUser && <OtherWays />}
    >
      <LoginForm />
    </Entrance>
  )
}

interface Second extends SecondStepProps {
  Step: ComponentType<SecondStepProps>
}

/** E-mail, password and, for ordinary users, the second factor; who needs one and gave none is asked for it next. */
export function LoginForm({ onSuccess }: { onSuccess?: () => void }) {
  const t = useT()
  const isUser = variant() === 'user'
  const [second, setSecond] = useState<Second>()
  const stay = Boolean(onSuccess)
  const form = useForm({
    initial: { email: '', password: '', secondfactor: '' },
    submit: async ({ email, password, secondfactor }) => {
      const send = async (proof: Partial<Credentials>) => {
        await login({ email, password, ...proof }, { stay })
        onSuccess?.()
      }
      try {
        await send({ secondfactor: secondfactor || undefined })
      } catch (error) {
        if (error instanceof ApiError && error.proof && !secondfactor) {
          const [{ SecondStep }] = await loadStep(() => import('./second-step.tsx'))
          const onBack = () => setSecond(undefined)
          return setSecond({ Step: SecondStep, need: error.proof, email, send, onBack })
        }
        reportError(error)
        if (error instanceof ApiError && error.status === 401) form.setErrors({ password: error.message })
        throw error
      }
    },
  })

  const withPasskey = async () => {
    const [{ signInWithPasskey }] = await loadStep(() => import('./passkey-sign-in.ts'))
    if (await signInWithPasskey({ stay })) onSuccess?.()
  }

  if (second) {
    const { Step, ...props } = second
    return createElement(Step, props)
  }

  const forgotten = (
    <Link to="/password-reset" className="small">
      {t('login.forgotten')}
    </Link>
  )

  return (
    <form {...form.props} className="stack">
      <TextField
        {...form.field('email')}
        label={t('login.email')}
        type="email"
        icon={IconMail}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
      />
      <PasswordField
        {...form.field('password')}
        label={t('login.password')}
        icon={IconLock}
        autoComplete="current-password"
        aside={isUser && forgotten}
        required
      />
      {isUser && (
        <TextField
          {...form.field('secondfactor')}
          label={t('login.secondfactor')}
          optional
          hint={t('login.secondfactorHint')}
          icon={IconKey}
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123 456"
        />
      )}
      <Button type="submit" variant="primary" size="large" full busy={form.busy} busyLabel={t('login.busy')}>
        {t('login.submit')}
      </Button>
      {canUsePasskeys() && (
        <Button size="large" full icon={IconFingerprint} disabled={form.busy} onPress={withPasskey}>
          {t('login.passkey')}
        </Button>
      )}
    </form>
  )
}

/** Code that few logins need, with its texts. */
function loadStep<T>(load: () => Promise<T>) {
  return loadChunk(() => Promise.all([load(), loadMessages('proof')]))
}
