import type { PasswordRule } from '@gatehouse/contract/sessions/passwords'
import { type RefObject, useEffect, useState } from 'react'
import { onLanguageChange } from '../../i18n/switch-language.ts'
import { call } from '../../platform/api/api.ts'
import { useUser } from '../../platform/session/auth.ts'

/** Owner of the policy: a user by id, or the user a reset code belongs to. Defaults to the signed-in user. */
export interface PolicyOwner {
  user?: number | string
  code?: string
  short_code?: string
}

/** Personal data entered along with the password, which the password must not contain. */
export interface PasswordPerson {
  email?: string
  external_email?: string
  first_name?: string
  last_name?: string
  organization?: string
}

/**
 * Returns the rules of the password policy and whether the password meets each; undefined until the server
 * has responded. Checks on mount, when the password changes, when the form around `inside` is reset, when
 * the language changes and, if a password was typed, when `person` changes. Only the latest check counts;
 * failed checks are ignored.
 */
export function usePasswordRules(
  password: string,
  { user, code, short_code }: PolicyOwner,
  person: PasswordPerson,
  inside: RefObject<HTMLElement | null>,
): readonly PasswordRule[] | undefined {
  const [rules, setRules] = useState<readonly PasswordRule[]>()
  const [round, setRound] = useState(0)
  const self = useUser()?.id
  const whose = user ?? self
  const { email, external_email, first_name, last_name, organization } = password === '' ? {} : person

  useEffect(() => {
    const again = () => setRound((count) => count + 1)
    const form = inside.current?.closest('form')
    form?.addEventListener('reset', again)
    const stop = onLanguageChange(again)
    return () => {
      form?.removeEventListener('reset', again)
      stop()
    }
  }, [inside])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round repeats the same request
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const known = { email, external_email, first_name, last_name, organization }
    const body = { password, user: whose, code, short_code, ...known }
    call('POST /api/auth/password-policy-check', { body, signal, ignoreErrors: true }).then(
      ({ list }) => {
        if (!signal.aborted) setRules(list)
      },
      () => {
        // the server checks again on submission
      },
    )
    return () => controller.abort()
  }, [password, whose, code, short_code, email, external_email, first_name, last_name, organization, round])

  return rules
}
