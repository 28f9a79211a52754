import {
  type FixedPasswordRule,
  fixedPasswordRules,
  type PasswordRule,
} from '@gatehouse/contract/sessions/passwords'
import { type Message, message } from '../platform/http/errors.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { meetsPolicy, type PasswordPolicy, presentPolicy } from '../users/settings/password-policy.ts'
import { isGuessable } from './common-passwords.ts'
import { type ContextWords, isMadeOf } from './context-words.ts'

/** Requirements for a new password: the policy in force, and rules that no policy can disable. */
export interface PasswordRequirements {
  readonly policy: PasswordPolicy
  readonly words: ContextWords
}

const messages = {
  common: message('validation.password-common'),
  personal: message('validation.password-personal'),
} as const satisfies Record<FixedPasswordRule, Message>

function meetsFixedRule(rule: FixedPasswordRule, words: ContextWords, password: string): boolean {
  switch (rule) {
    case 'common':
      return !isGuessable(password)
    case 'personal':
      return password !== '' && !isMadeOf(words, password)
  }
}

/**
 * Returns the violated rules of a password as messages for its field. Rules beyond the policy are listed
 * individually.
 */
export function brokenRules({ policy, words }: PasswordRequirements, password: string): Message[] {
  if (!meetsPolicy(policy, password)) return [message('validation.password-policy-error')]
  return fixedPasswordRules
    .filter((rule) => !meetsFixedRule(rule, words, password))
    .map((rule) => messages[rule])
}

/** Returns all rules for the password widget, each with whether the password meets it. */
export function presentRequirements(
  { policy, words }: PasswordRequirements,
  password: string,
  t: Translate,
): PasswordRule[] {
  return [
    ...presentPolicy(policy, password, t),
    ...fixedPasswordRules.map((label) => ({
      label,
      name: t(`app.password-rule-${label}`),
      param: null,
      enabled: true,
      status: meetsFixedRule(label, words, password),
    })),
  ]
}
