import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useRef } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { PasswordRules } from './password-rules.tsx'
import { type PasswordPerson, type PolicyOwner, usePasswordRules } from './use-password-rules.ts'
import './password-input.css'

/** A password and its confirmation, as requests carry them. */
export interface PasswordValue {
  password: string
  password_confirmation: string
}

export interface PasswordInputProps {
  /** In front of the ids, like that of the form: `signup_`. */
  prefix?: string
  value: PasswordValue
  /** Called with both values after each keystroke in either field. */
  onValue: (value: PasswordValue) => void
  /** The server's errors, by field. */
  errors?: { password?: string; password_confirmation?: string }
  /** Whose policy is shown; absent: the signed-in user's, or the system's. */
  policyOf?: PolicyOwner
  /** What is entered of the person beside the password, so that the rules take it into account. */
  person?: Omit<PasswordPerson, 'email'>
  /** The address that the password is for, so that password managers keep it with the password. */
  username?: string
  required?: boolean
}

/** A new password, typed twice, with the rules that it must meet. Whether it does is the server's decision. */
export function PasswordInput(props: PasswordInputProps) {
  const { prefix = '', value, onValue, errors = {}, policyOf = {}, person, username, required = true } = props
  const t = useT()
  const root = useRef<HTMLDivElement>(null)
  const rules = usePasswordRules(value.password, policyOf, { ...person, email: username }, root)

  return (
    <div className="password-input" ref={root}>
      {username && (
        <input
          className="visually-hidden"
          type="text"
          autoComplete="username"
          value={username}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
      )}
      <PasswordField
        id={`${prefix}password`}
        name="password"
        label={t('words.password')}
        placeholder={t('words.newPassword')}
        icon={IconLock}
        autoComplete="new-password"
        required={required}
        value={value.password}
        onValue={(password) => onValue({ ...value, password })}
        error={errors.password}
      />
      <PasswordField
        id={`${prefix}password_confirmation`}
        name="password_confirmation"
        label={t('password.again')}
        placeholder={t('password.againPlaceholder')}
        icon={IconLock}
        autoComplete="new-password"
        required={required}
        value={value.password_confirmation}
        onValue={(confirmation) => onValue({ ...value, password_confirmation: confirmation })}
        error={errors.password_confirmation}
        hint={t(matchHint(value))}
      />
      <PasswordRules rules={rules} typed={value.password !== ''} />
    </div>
  )
}

function matchHint({ password, password_confirmation: again }: PasswordValue) {
  if (again === '') return 'password.againHint'
  return again === password ? 'password.same' : 'password.different'
}
