import type { WireErrors } from '../../ui/form/field-errors.ts'
import type { PasswordValue } from './password-input.tsx'

/**
 * The server tells that a password and its confirmation differ as the first thing that is wrong with the password. It
 * is the confirmation that people look at then.
 */
export function placePasswordErrors(
  errors: Readonly<Record<string, WireErrors>>,
  { password, password_confirmation: confirmation }: PasswordValue,
): Record<string, WireErrors> {
  const { password: wrong, ...others } = errors
  if (wrong === undefined) return others
  // nothing but its absence is wrong with an empty password
  if (!Array.isArray(wrong) || password === '' || password === confirmation) return { ...errors }
  const [mismatch = '', ...rules]: readonly string[] = wrong
  return { ...others, ...(rules.length > 0 && { password: rules }), password_confirmation: mismatch }
}
