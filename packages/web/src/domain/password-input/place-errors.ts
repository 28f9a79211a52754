import type { WireErrors } from '../../ui/form/field-errors.ts'
import type { PasswordValue } from './password-input.tsx'

/**
 * The server reports a mismatch between password and confirmation as the first error of the password. Moves
 * it to the confirmation, where users expect it.
 */
export function placePasswordErrors(
  errors: Readonly<Record<string, WireErrors>>,
  { password, password_confirmation: confirmation }: PasswordValue,
): Record<string, WireErrors> {
  const { password: wrong, ...others } = errors
  if (wrong === undefined) return others
  // for an empty password, the only error is that it's missing
  if (!Array.isArray(wrong) || password === '' || password === confirmation) return { ...errors }
  const [mismatch = '', ...rules]: readonly string[] = wrong
  return { ...others, ...(rules.length > 0 && { password: rules }), password_confirmation: mismatch }
}
