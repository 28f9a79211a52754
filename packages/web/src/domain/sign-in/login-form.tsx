import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { createElement, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { canUsePasskeys } from '../proof/passkey-support.ts'
import { type LoginOptions, useLogin } from './use-login.ts'

/**
 * E-mail, password and, for ordinary users, the second factor. Users who need one and didn't enter it are
 * asked for it next.
 */
export function LoginForm(options: LoginOptions) {
  const t = useT()
  const isUser = variant() === 'user'
  const { form, second, signInWithPasskey } = useLogin(options)
  const [isKnown] = useState(form.values.email !== '')
  if (second) {
    const { Step, ...props } = second
    return createElement(Step, props)
  }

  return (
    <form {...form.props} className="stack">
      <TextField
        {...form.field('email')}
        label={t('words.emailAddress')}
        type="email"
        icon={IconMail}
        autoComplete="username"
        exact
        required
        autoFocus={!isKnown}
      />
      <PasswordField
        {...form.field('password')}
        label={t('words.password')}
        icon={IconLock}
        autoComplete="current-password"
        required
        autoFocus={isKnown}
      />
      {isUser && (
        <TextField
          {...form.field('secondfactor')}
          label={t('words.secondFactor')}
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
      {isUser && (
        <Link to="/password-reset" className="small">
          {t('login.forgotten')}
        </Link>
      )}
      {canUsePasskeys() && (
        <Button size="large" full icon={IconFingerprint} disabled={form.busy} onPress={signInWithPasskey}>
          {t('login.passkey')}
        </Button>
      )}
    </form>
  )
}
