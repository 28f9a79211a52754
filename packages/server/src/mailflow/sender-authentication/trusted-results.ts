import { type HeaderField, headerValues } from '../message/header-fields.ts'
import { isAligned } from './alignment.ts'
import { namedServer, plainServerName } from './result-fields.ts'

/** A result of a field `Authentication-Results`: `dkim=pass header.d=example.com`. */
interface Result {
  readonly method: string
  readonly result: string
  readonly properties: ReadonlyMap<string, string>
}

/** Results that are read of one field. */
const mostResults = 50

/**
 * Whether the server of a name says that the author's domain is proved; undefined if it says nothing. The server has to
 * remove fields with its own name from mail that comes in (RFC 8601 §5).
 */
export function trustedProof(
  fields: readonly HeaderField[],
  serverId: string,
  authorDomain: string,
): boolean | undefined {
  const results = headerValues(fields, 'Authentication-Results')
    .filter((value) => namedServer(value) === plainServerName(serverId))
    .flatMap(resultsOf)
  if (results.length === 0) return undefined
  const hasFailed = results.some(({ method, result }) => method === 'dmarc' && result === 'fail')
  return !hasFailed && results.some((one) => proves(one, authorDomain))
}

/** Where each method names the domain or address for which it passed. */
const identities: Readonly<Record<string, readonly string[]>> = {
  dmarc: ['header.from'],
  dkim: ['header.d', 'header.i'],
  spf: ['smtp.mailfrom'],
  auth: ['smtp.auth', 'smtp.mailfrom'],
}

function proves({ method, result, properties }: Result, authorDomain: string): boolean {
  const names = Object.hasOwn(identities, method) ? identities[method] : undefined
  if (result !== 'pass' || names === undefined) return false
  const identity = names.map((name) => properties.get(name)).find((value) => value !== undefined)
  const domain = identity?.slice(identity.lastIndexOf('@') + 1).toLowerCase() ?? ''
  return domain !== '' && isAligned(domain, authorDomain, 'relaxed')
}

function resultsOf(value: string): Result[] {
  const [, ...parts] = splitResults(value)
  return parts.slice(0, mostResults).flatMap((part) => {
    const [, method = '', result = ''] = /^\s*([a-z0-9-]+)(?:\/\d+)?\s*=\s*([a-z]+)/i.exec(part) ?? []
    if (method === '') return []
    const properties = new Map<string, string>()
    for (const [, name = '', quoted, plain = ''] of part.matchAll(
      /\b([a-z]+\.[a-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))/gi,
    )) {
      const key = name.toLowerCase()
      if (!properties.has(key)) properties.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain)
    }
    return [{ method: method.toLowerCase(), result: result.toLowerCase(), properties }]
  })
}

/** Splits a value at semicolons outside quotes, and leaves out comments. */
function splitResults(value: string): string[] {
  const parts: string[] = []
  let [part, comments, isQuoted] = ['', 0, false]
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at)
    if (char === '\\' && (isQuoted || comments > 0)) {
      if (comments === 0) part += char + value.charAt(at + 1)
      at++
    } else if (isQuoted) {
      part += char
      isQuoted = char !== '"'
    } else if (char === '(') comments++
    else if (char === ')' && comments > 0) comments--
    else if (comments > 0) continue
    else if (char === ';') {
      parts.push(part)
      part = ''
    } else {
      isQuoted = char === '"'
      part += char
    }
  }
  return [...parts, part]
}
