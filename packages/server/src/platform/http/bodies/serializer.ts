import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/** An answer that the contract does not know. Only tests and development look for it. */
export class ContractViolation extends Error {
  override name = 'ContractViolation'
}

interface SerializerRoute {
  readonly schema: unknown
  readonly method: string
  readonly url: string
  readonly httpStatus?: string
}

/** Answers that are sent again and again, with their JSON once it was made. */
const lasting = new WeakMap<object, { json: string | undefined }>()

/** Promises that an answer never changes any more, so that its JSON need be made once only. */
export function lastingAnswer<T extends object>(answer: T): T {
  lasting.set(answer, { json: undefined })
  return answer
}

/** Plain JSON: what the presenters made is sent as it is. */
export function plainSerializer(): (data: unknown) => string {
  return (data) => {
    const known = typeof data === 'object' && data !== null ? lasting.get(data) : undefined
    if (known === undefined) return JSON.stringify(data)
    known.json ??= JSON.stringify(data)
    return known.json
  }
}

/** JSON that is held against the contract first: wrong types, missing keys and keys too many all throw. */
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
