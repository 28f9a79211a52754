import { maxDocumentBytes } from '@gatehouse/contract/directory/plans'
import { BadRequest, PayloadTooLarge, ValidationError } from '../../platform/http/errors.ts'
import { normaliseInput } from '../../platform/http/normalise.ts'

/**
 * Reads a document that was sent as JSON. Throws PayloadTooLarge, BadRequest if it isn't JSON or too deep, and
 * ValidationError if it isn't an object.
 */
export async function readSentDocument(
  file: AsyncIterable<Buffer | string>,
): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of file) {
    const data = Buffer.from(part)
    bytes += data.length
    if (bytes > maxDocumentBytes) throw new PayloadTooLarge()
    parts.push(data)
  }
  const value = parseJson(Buffer.concat(parts).toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw ValidationError.at('document', 'validation.invalid')
  }
  return normaliseInput({ ...value })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRequest()
  }
}
