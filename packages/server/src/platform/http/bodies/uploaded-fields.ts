import { BadRequest } from '../errors.ts'
import { normaliseInput } from '../normalise.ts'

/** Maximum bytes of a body with fields. */
const mostBytes = 1024 * 1024

/**
 * Returns the normalised fields of a body that may be content instead; none if it has another type. Throws
 * BadRequest.
 */
export async function uploadedFields(
  body: AsyncIterable<Buffer | string>,
  type = '',
): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    size += bytes.length
    if (size > mostBytes) throw new BadRequest()
    parts.push(bytes)
  }
  const text = Buffer.concat(parts).toString('utf8').trim()
  if (text === '') return {}
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return normaliseInput(Object.fromEntries(new URLSearchParams(text)))
  }
  // content without a name is a missing name, not a malformed request
  if (!type.startsWith('application/json')) return {}
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRequest()
  // as in every other body, keys that name a prototype are rejected
  if (Object.hasOwn(value, '__proto__')) throw new BadRequest()
  return normaliseInput({ ...value })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRequest()
  }
}
