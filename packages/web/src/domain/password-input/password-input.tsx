import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useRef } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { PasswordRules } from './password-rules.tsx'
import { type PasswordPerson, type PolicyOwner, usePasswordRules } from './use-password-rules.ts'
import './password-input.css'

/** A password and its confirmation as sent in requests. */
export interface PasswordValue {
  password: string
  password_confirmation: string
}

export interface PasswordInputProps {
  /** Prefix of the ids, the same as the form's, such as `signup_`. */
  prefix?: string
  value: PasswordValue
  /** Called with both values after each keystroke in either field. */
  onValue: (value: PasswordValue) => void
  /** The server's errors, by field. */
  errors?: { password?: string; password_confirmation?: string }
  /** Owner of the policy shown; by default the signed-in user, or the system if there is none. */
  policyOf?: PolicyOwner
  /** Personal fields entered along with the password, which the rules take into account. */
  person?: Omit<PasswordPerson, 'email'>
  /** The address the password belongs to, so that password managers save them together. */
  username?: string
  required?: boolean
}

/** New password with confirmation and the policy's rules. The server decides whether the rules are met. */
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
