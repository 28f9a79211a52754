import type { UserDetail } from '@gatehouse/contract/directory/users'
import { PasswordInput, type PasswordInputProps } from '../../../domain/password-input/password-input.tsx'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { ExistingLink, NewLink } from '../password-link.tsx'
import { type PasswordMode, usePasswordMode } from './use-password-mode.ts'

/** Form fields for setting a password, typed or by link. */
export interface PasswordValues {
  password: string
  password_confirmation: string
  passwordLinkCode: string
}

const hints = {
  self: 'users.passwordSelfHint',
  other: 'users.passwordHint',
  new: 'users.passwordNewHint',
} as const satisfies Record<string, MessageKey>

export interface PasswordSectionProps<V extends PasswordValues> {
  form: Form<V>
  /** Undefined: a new user. */
  user?: UserDetail
  isSelf?: boolean
  /** Address the password is for. */
  username?: string
  /** Personal fields of the form. */
  person?: PasswordInputProps['person']
}

/**
 * New password, typed here or chosen by the user through a one-time link. Users can't create a link for
 * themselves.
 */
export function PasswordSection<V extends PasswordValues>(props: PasswordSectionProps<V>) {
  const { form, user, isSelf = false, username = user?.email, person } = props
  const t = useT()
  const code = form.values.passwordLinkCode
  const link = usePasswordMode({ code, onCode: (next) => setLink(form, next) })
  const hint = user ? (isSelf ? 'self' : 'other') : 'new'

  const choose = (next: PasswordMode) => {
    setPassword(form, { password: '', password_confirmation: '' })
    link.choose(next)
  }

  return (
    <FormSection title={t('words.password')} hint={t(hints[hint])}>
      {!isSelf && (
        <Segmented
          label={t('users.passwordMode')}
          choices={[
            { value: 'enter', label: t('users.passwordEnter') },
            { value: 'link', label: t('users.passwordLink') },
          ]}
          value={link.mode}
          onValue={choose}
        />
      )}
      {link.mode === 'enter' ? (
        <Entry form={form} user={user} username={username} person={person} />
      ) : (
        <NewLink
          code={code}
          expires={link.expires}
          failed={link.failed}
          onRetry={link.make}
          error={form.errors.passwordLinkCode?.text}
        />
      )}
      {user?.passwordLinkCode && <ExistingLink code={user.passwordLinkCode} userId={user.id} />}
    </FormSection>
  )
}

function Entry<V extends PasswordValues>({ form, user, username, person }: PasswordSectionProps<V>) {
  const { password, password_confirmation } = form.values
  return (
    <PasswordInput
      value={{ password, password_confirmation }}
      onValue={(value) => setPassword(form, value)}
      errors={{
        password: form.errors.password?.text,
        password_confirmation: form.errors.password_confirmation?.text,
      }}
      policyOf={user && { user: user.id }}
      person={person}
      username={username}
      required={user === undefined}
    />
  )
}

function setPassword<V extends PasswordValues>(
  form: Form<V>,
  value: Pick<PasswordValues, 'password' | 'password_confirmation'>,
): void {
  // these keys hold text, which a generic type can't express
  form.set('password', value.password as V['password'])
  form.set('password_confirmation', value.password_confirmation as V['password_confirmation'])
}

function setLink<V extends PasswordValues>(form: Form<V>, code: string): void {
  form.set('passwordLinkCode', code as V['passwordLinkCode']) // as above
}
