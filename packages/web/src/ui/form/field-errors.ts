/** Errors of a field as sent by the server: a message, several, or messages by list index or key. */
export type WireErrors = string | readonly string[] | Readonly<Record<string, string | readonly string[]>>

/** Errors of a field as shown: one text, or one for each invalid item of a list or part of a set. */
export interface FieldError {
  text?: string
  items?: Readonly<Record<number, string>>
  /** By key, such as the id of the affected SKU. */
  parts?: Readonly<Record<string, string>>
}

export type FieldErrors = Readonly<Record<string, FieldError>>

/** Normalizes the three formats in which a server reports errors. */
export function readFieldError(errors: WireErrors): FieldError {
  if (typeof errors === 'string') return { text: errors }
  if (Array.isArray(errors)) return { text: errors.join(' ') }
  const items: Record<number, string> = {}
  const parts: Record<string, string> = {}
  for (const [index, message] of Object.entries(errors)) {
    const text = Array.isArray(message) ? message.join(' ') : String(message)
    if (/^\d+$/.test(index)) items[Number(index)] = text
    else parts[index] = text
  }
  return { items: unlessEmpty(items), parts: unlessEmpty(parts) }
}

function unlessEmpty<T extends object>(map: T): T | undefined {
  return Object.keys(map).length > 0 ? map : undefined
}

/** Joins an error into one text, for fields without items and for toasts. */
export function errorLine({ text, items, parts }: FieldError): string {
  return [text, ...Object.values(items ?? {}), ...Object.values(parts ?? {})].filter(Boolean).join(' ')
}

/** Finds the control of a request field: by id, otherwise by name, each with or without the form's prefix. */
export function findControl(form: HTMLElement, key: string, prefix = ''): HTMLElement | null {
  for (const name of new Set([prefix + key, key])) {
    const quoted = CSS.escape(name)
    const found =
      form.querySelector<HTMLElement>(`#${quoted}`) ?? form.querySelector<HTMLElement>(`[name="${quoted}"]`)
    if (found) return found
  }
  return null
}

/**
 * Sorts the server's errors into those that have a field in this form and those that have not. A form that is not on the
 * screen takes all of them.
 */
export function attachErrors(
  form: HTMLElement | null,
  errors: Readonly<Record<string, WireErrors>>,
  prefix = '',
): { attached: FieldErrors; unmatched: string[] } {
  const attached: Record<string, FieldError> = {}
  const unmatched: string[] = []
  for (const [key, value] of Object.entries(errors)) {
    const error = readFieldError(value)
    if (!form || findControl(form, key, prefix)) attached[key] = error
    else unmatched.push(errorLine(error))
  }
  return { attached, unmatched: unmatched.filter(Boolean) }
}

/** The data of a failed call needed by the form. */
export interface ValidationFailure {
  errors: Readonly<Record<string, WireErrors>>
  toast?: { update(change: { message: string }): void }
}

export function isValidationFailure(error: unknown): error is ValidationFailure {
  return (
    error instanceof Error && 'errors' in error && typeof error.errors === 'object' && error.errors !== null
  )
}
