import type { PasswordRule } from '@gatehouse/contract/sessions/passwords'
import { type RefObject, useEffect, useState } from 'react'
import { onLanguageChange } from '../../i18n/switch-language.ts'
import { call } from '../../platform/api/api.ts'
import { useUser } from '../../platform/session/auth.ts'

/** Whose policy counts: a user's by id, or that of whom a reset code belongs to; else the signed-in user's. */
export interface PolicyOwner {
  user?: number | string
  code?: string
  short_code?: string
}

/** What is entered beside the password, which it must not be made of. */
export interface PasswordPerson {
  email?: string
  external_email?: string
  first_name?: string
  last_name?: string
  organization?: string
}

/**
 * The rules of the password policy, each with whether the password meets it; undefined until the server has
 * answered. They are checked at the start, whenever the password changes, when the form that `inside` lies in is
 * reset, and in the new language after a change of language; a password that was typed also with another `person`. Only the latest check counts; a failed one is ignored.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks the same question again
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
