import { t } from '../../i18n/i18n.ts'
import type { WireErrors } from '../../ui/form/field-errors.ts'

/** Client-side field errors found on submission, shown like the server's errors. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault'
  readonly errors: Readonly<Record<string, WireErrors>>

  constructor(errors: FieldFault['errors']) {
    super(t('error.form'))
    this.errors = errors
  }
}

/** Throws the collected errors, if any. */
export function refuse(errors: Readonly<Record<string, WireErrors | undefined>>): void {
  const found = Object.entries(errors).flatMap(([key, error]) => (error === undefined ? [] : [[key, error]]))
  if (found.length > 0) throw new FieldFault(Object.fromEntries(found))
}
