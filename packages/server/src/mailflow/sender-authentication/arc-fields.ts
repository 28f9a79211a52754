import type { HeaderField } from './message-header.ts'
import { readTags } from './signatures.ts'

const arcNames: ReadonlySet<string> = new Set([
  'arc-seal',
  'arc-message-signature',
  'arc-authentication-results',
])
/** A message goes through a few servers that seal it; each costs a look-up and a signature to check. */
const mostSeals = 10
const longestSeal = 4096
const longestResults = 16 * 1024

export function isArcField({ name }: HeaderField): boolean {
  return arcNames.has(name)
}

/** The fields of an ARC chain (RFC 8617) that may be given to the library; empty if there's none or it isn't sound. */
export function arcFields(fields: readonly HeaderField[]): readonly HeaderField[] {
  const found = fields.filter(isArcField)
  const isSound = found.length <= 3 * mostSeals && found.every(isSoundField)
  return isSound ? found : []
}

function isSoundField(field: HeaderField): boolean {
  if (field.name === 'arc-authentication-results') {
    return field.line.length <= longestResults && !writesToPrototypes(field.line)
  }
  const tags = readTags(field)
  return field.line.length <= longestSeal && tags.get('a')?.toLowerCase() === 'rsa-sha256'
}

/** The names of the DNS that hold the keys of a chain. */
export function arcKeyNames(fields: readonly HeaderField[]): string[] {
  return fields.filter(({ name }) => name !== 'arc-authentication-results').map((field) => keyName(field))
}

function keyName(field: HeaderField): string {
  const tags = readTags(field)
  return `${tags.get('s') ?? ''}._domainkey.${tags.get('d') ?? ''}`
}

/**
 * The library (4.13.3) keeps results such as `smtp.mailfrom=x` in objects by their name, so that `__proto__.x=1` would set
 * a property of all objects. It also drops quotes, backslashes and comments within names.
 */
function writesToPrototypes(line: string): boolean {
  const dropped = String.raw`(?:\([^)]*\)?|["'\\\s])*`
  return new RegExp(['_', 'p', 'r', 'o', 't', 'o', '_'].join(dropped), 'i').test(
    Buffer.from(line, 'latin1').toString('utf8'),
  )
}
