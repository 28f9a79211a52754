import { HttpError } from '../http/errors.ts'
import { createTranslator } from '../i18n/translator.ts'
import { UsageError } from './command.ts'

/** Rethrows an API error as its English message for the command line. */
export function said(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  const t = createTranslator('en')
  const fields =
    'fields' in error && typeof error.fields === 'object' ? Object.values({ ...error.fields }) : []
  const [first] = fields.flat()
  const isText = typeof first === 'object' && first !== null && 'key' in first
  // each field of these calls has one sentence
  const text = isText ? (first as HttpError['text']) : error.text
  throw new UsageError(t(text.key, text.params))
}
