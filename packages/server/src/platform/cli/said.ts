import { HttpError } from '../http/errors.ts'
import { createTranslator } from '../i18n/translator.ts'
import { UsageError } from './command.ts'

/** What the API would answer is what a command says, in English. */
export function said(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  const t = createTranslator('en')
  const fields =
    'fields' in error && typeof error.fields === 'object' ? Object.values({ ...error.fields }) : []
  const [first] = fields.flat()
  const isText = typeof first === 'object' && first !== null && 'key' in first
  // fields of these calls have one sentence each
  const text = isText ? (first as HttpError['text']) : error.text
  throw new UsageError(t(text.key, text.params))
}
