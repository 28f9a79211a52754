import { asciiDomain } from '@gatehouse/contract/canonical-address'
import type { HeaderEdit } from '../external-sender/mark-subject.ts'
import { fieldValue, type HeaderField } from './message-header.ts'
import type { SenderResults, SpfResult } from './sender-results.ts'
import type { SpfQuery } from './spf-check.ts'

/** Characters of a line without its break (RFC 5322 §2.1.1). */
const longestLine = 998

const spfTexts: Readonly<Record<SpfResult['result'], string>> = {
  pass: 'Pass',
  fail: 'Fail',
  softfail: 'SoftFail',
  neutral: 'Neutral',
  none: 'None',
  temperror: 'TempError',
  permerror: 'PermError',
}

/** The field `Received-SPF` (RFC 7208 §9.1), with a comment when an exception of the recipient was used. */
export function receivedSpf(spf: SpfResult, query: SpfQuery, exception?: string): string {
  const comment = exception === undefined ? '' : ' (accepted by an exception of the recipient)'
  return [
    `Received-SPF: ${spfTexts[spf.result]}${comment} identity=${spf.identity}`,
    `client-ip=${token(query.clientAddress)}`,
    `helo=${token(query.helo)}`,
    `envelope-from=${token(query.sender)}`,
  ].join('; ')
}

/** The field `Authentication-Results` (RFC 8601); `serverId` names the server that checked (authserv-id). */
export function authenticationResults(results: SenderResults, query: SpfQuery, serverId: string): string {
  const { spf, dkim, dmarc, arc } = results
  const parts = [
    `spf=${spf.result} smtp.${spf.identity}=${token(spf.identity === 'helo' ? query.helo : query.sender)}`,
    `dmarc=${dmarc.result}${dmarc.result === 'none' ? '' : ` (p=${dmarc.policy})`}` +
      (dmarc.domain === null ? '' : ` header.from=${token(dmarc.domain)}`),
    ...(arc.result === 'none' ? [] : [`arc=${arc.result}`]),
    ...(dkim.length === 0 ? ['dkim=none'] : []),
    ...dkim.map((one) => `dkim=${one.result} header.d=${token(one.domain)} header.s=${token(one.selector)}`),
  ]
  let line = `Authentication-Results: ${token(serverId)}`
  for (const part of parts) if (line.length + part.length + 2 <= longestLine) line += `; ${part}`
  return line
}

/** A value that can't end the field or begin another: a token, or else a quoted string of printable ASCII. */
function token(value: string): string {
  const printable = value.slice(0, 320).replace(/[^\x20-\x7e]/g, '?')
  if (/^[\w.!#$%&'*+^`{|}~@-]+$/.test(printable)) return printable
  return `"${printable.replace(/["\\]/g, '\\$&')}"`
}

/**
 * Edits that remove fields which claim to come from here: results with our name or an unreadable one (RFC 8601 §5), and
 * all of SPF, because they don't name their server. To be applied in this order, before ours are added.
 */
export function removeForgedResults(fields: readonly HeaderField[], serverId: string): HeaderEdit[] {
  const edits: HeaderEdit[] = []
  const counts = new Map<string, number>()
  for (const field of fields) {
    const occurrence = (counts.get(field.name) ?? 0) + 1
    counts.set(field.name, occurrence)
    if (isForged(field, serverId))
      edits.push({ edit: 'change-header', name: field.name, occurrence, value: '' })
  }
  // from the last to the first, so that the numbers of the fields before stay right
  return edits.toReversed()
}

function isForged(field: HeaderField, serverId: string): boolean {
  if (field.name === 'received-spf') return true
  if (field.name !== 'authentication-results') return false
  const named = namedServer(fieldValue(field))
  return named === undefined || named === plainServerName(serverId)
}

/** The name at the start of a value, after comments; undefined when there's none that can be read. */
export function namedServer(value: string): string | undefined {
  let rest = value.trimStart()
  while (rest.startsWith('(')) {
    const end = commentEnd(rest)
    if (end === undefined) return undefined
    rest = rest.slice(end).trimStart()
  }
  const quoted = /^"((?:[^"\\]|\\.)*)"/s.exec(rest)?.[1]?.replace(/\\(.)/gs, '$1')
  const name = quoted ?? /^[^\s;()"]+/.exec(rest)?.[0]
  return name === undefined ? undefined : plainServerName(name)
}

/** The place after a comment, which may contain others. */
function commentEnd(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\') at++
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at + 1
  }
  return undefined
}

/** The name of a server in the form in which names are compared. */
export function plainServerName(name: string): string {
  const text = name.trim().replace(/\.+$/, '')
  return asciiDomain(text) ?? text.toLowerCase()
}
