import { ApiError } from '../../app/api/api-error.ts'
import { errorText } from '../../app/api/report-error.ts'
import { errorLine, readFieldError } from '../form/field-errors.ts'

/** What went wrong, with the sentences about fields where there are any. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof ApiError) || !error.errors) return errorText(error)
  return Object.values(error.errors)
    .map((one) => errorLine(readFieldError(one)))
    .join(' ')
}
