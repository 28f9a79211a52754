import { ApiError } from '../../platform/api/api-error.ts'
import { errorText } from '../../platform/api/report-error.ts'
import { errorLine, readFieldError } from '../../ui/form/field-errors.ts'

/** Returns the error message, including field errors if any. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof ApiError) || !error.errors) return errorText(error)
  return Object.values(error.errors)
    .map((one) => errorLine(readFieldError(one)))
    .join(' ')
}
