import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../app/api-error.ts'
import { variant } from '../../app/config.ts'
import { reportError } from '../../app/report-error.ts'
import { login } from '../../app/session.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Entrance } from '../../ui/entrance.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { OtherWays } from './other-ways.tsx'
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

/** E-mail, password and, for ordinary users, the second factor. */
export function LoginForm({ onSuccess }: { onSuccess?: () => void }) {
  const t = useT()
  const isUser = variant() === 'user'
  const form = useForm({
    initial: { email: '', password: '', secondfactor: '' },
    submit: async ({ email, password, secondfactor }) => {
      try {
        await login(
          { email, password, secondfactor: secondfactor || undefined },
          { stay: Boolean(onSuccess) },
        )
        onSuccess?.()
      } catch (error) {
        reportError(error)
        if (error instanceof ApiError && error.status === 401) form.setErrors({ password: error.message })
        throw error
      }
    },
  })

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
    </form>
  )
}
