import { t } from '../../i18n/i18n.ts'
import type { WireErrors } from '../../ui/form/field-errors.ts'

/** What a form itself finds wrong with its fields when it is sent; shown where the server's own errors are. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault'
  readonly errors: Readonly<Record<string, WireErrors>>

  constructor(errors: FieldFault['errors']) {
    super(t('error.form'))
    this.errors = errors
  }
}

/** Throws what was collected, if anything was. */
export function refuse(errors: Readonly<Record<string, WireErrors | undefined>>): void {
  const found = Object.entries(errors).flatMap(([key, error]) => (error === undefined ? [] : [[key, error]]))
  if (found.length > 0) throw new FieldFault(Object.fromEntries(found))
}
