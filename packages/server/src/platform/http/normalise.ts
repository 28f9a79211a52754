import { BadRequest, message, ValidationError } from './errors.ts'

/** No call needs deeper input, which would consume stack. */
const maxDepth = 16

/** Halves of surrogate pairs without the other half. */
const unpaired = /\p{Surrogate}/u

const keptVerbatim = new Set(['password', 'password_confirmation'])

/**
 * Normalises input: strings except passwords are trimmed, then empty strings become null, including inside
 * lists. What the database can't store is an error of its field: NUL characters and, except in passwords, which are
 * hashed, unpaired surrogates.
 */
export function normaliseInput(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, normalise(value, key, key, 0)]))
}

function normalise(value: unknown, key: string, field: string, depth: number): unknown {
  if (typeof value === 'string') {
    const isVerbatim = keptVerbatim.has(key)
    if (value.includes('\0') || (!isVerbatim && unpaired.test(value)))
      throw new ValidationError({ [field]: [message('validation.string')] })
    const text = isVerbatim ? value : value.trim()
    return text === '' ? null : text
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) throw new BadRequest()
  if (Array.isArray(value)) return value.map((item) => normalise(item, key, field, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, normalise(item, name, field, depth + 1)]),
  )
}
