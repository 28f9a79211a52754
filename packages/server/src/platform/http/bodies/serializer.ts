import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/** The response violates the contract. Checked only in tests and development. */
export class ContractViolation extends Error {
  override name = 'ContractViolation'
}

interface SerializerRoute {
  readonly schema: unknown
  readonly method: string
  readonly url: string
  readonly httpStatus?: string
}

/** Cached JSON of responses that are sent repeatedly. */
const lasting = new WeakMap<object, { json: string | undefined }>()

/** Marks a response as immutable, so that it is serialised only once. */
export function lastingAnswer<T extends object>(answer: T): T {
  lasting.set(answer, { json: undefined })
  return answer
}

/** Serialises responses without validation. */
export function plainSerializer(): (data: unknown) => string {
  return (data) => {
    const known = typeof data === 'object' && data !== null ? lasting.get(data) : undefined
    if (known === undefined) return JSON.stringify(data)
    known.json ??= JSON.stringify(data)
    return known.json
  }
}

/**
 * Validates responses against the contract before serialising: wrong types, missing keys and unknown keys
 * throw.
 */
export function checkingSerializer(route: SerializerRoute): (data: unknown) => string {
  const schema = route.schema as z.ZodType // every response schema of ours is a zod type
  return (data) => {
    const text = JSON.stringify(data)
    const sent: unknown = JSON.parse(text)
    const parsed = schema.safeParse(sent)
    const place = `${route.method} ${route.url} ${route.httpStatus ?? ''}`
    if (!parsed.success) throw new ContractViolation(`${place}: ${parsed.error.message}`)
    if (!isDeepStrictEqual(parsed.data, sent)) {
      throw new ContractViolation(`${place}: keys outside the contract in ${text.slice(0, 500)}`)
    }
    return text
  }
}
