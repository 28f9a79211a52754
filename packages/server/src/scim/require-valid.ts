import { ValidationError } from '../platform/http/errors.ts'
import type { Checked } from '../platform/http/validation.ts'

/** Returns the value of a check. Throws ValidationError. */
export function requireValid<T>(checked: Checked<T>): T {
  if ('errors' in checked) throw new ValidationError(checked.errors)
  return checked.value
}
