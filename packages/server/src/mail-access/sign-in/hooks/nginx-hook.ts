import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import { plainAddress } from '../../../platform/http/callers/network-list.ts'
import type { Backend, Backends, ProxiedProtocol } from '../backends.ts'
import { type MailAttempt, type MailSignIn, MailSignInRefused } from '../mail-sign-in.ts'
import type { MailUser } from '../mail-user.ts'
import type { Outcomes } from '../outcomes.ts'
import { decodePercent, headerText, isHeaderSafe, Unreadable } from './wire-text.ts'

export interface NginxParts {
  readonly mail: MailSignIn
  readonly backends: Backends
  readonly outcomes: Outcomes
}

/** Which proxy asks: that of everybody, or the one of the webmail, which says in another header where people are. */
export type NginxDoor = 'public' | 'webmail'

/** Seconds until a connection may try again. */
const wait = 3
/** Tries after which a connection is closed. */
const mostTries = 10

/** Whose mail a protocol opens. */
const scopeOf: Readonly<Record<ProxiedProtocol, AppPasswordScope>> = {
  imap: 'imap',
  pop3: 'imap',
  smtp: 'smtp',
}

/**
 * The answer to the mail module of nginx (ngx_mail_auth_http_module): always headers and never an error, since nginx would
 * tell the client of a fault of the server.
 */
export async function answerNginx(
  { mail, backends, outcomes }: NginxParts,
  headers: IncomingHttpHeaders,
  door: NginxDoor,
): Promise<Record<string, string>> {
  const protocol = String(headers['auth-protocol'] ?? '').toLowerCase()
  const service = isProtocol(protocol) ? protocol : 'unknown'
  const ip = addressOf(headers, door)
  try {
    const asked = readRequest(headers, protocol, door, backends)
    const attempt: MailAttempt = { ...asked, services: [scopeOf[asked.protocol]], isInternal: false }
    const user = await mail.signIn(attempt)
    const isFiltered = door === 'public' && user.guamEnabled === 'true'
    const backend = await backends.of(asked.protocol, { isFiltered })
    outcomes.accept(service, user, ip)
    return accepted(backend, user, attempt)
  } catch (error) {
    const outcome = outcomes.read(error, service, { ip })
    return outcome === 'later' ? putOff(headers) : refused(headers)
  }
}

function isProtocol(text: string): text is ProxiedProtocol {
  return text === 'imap' || text === 'pop3' || text === 'smtp'
}

/** Where the client of the proxy is. */
function addressOf(headers: IncomingHttpHeaders, door: NginxDoor): string | undefined {
  const text = headers[door === 'public' ? 'client-ip' : 'proxy-protocol-addr']
  return typeof text === 'string' && isIP(text) !== 0 ? plainAddress(text) : undefined
}

/** Throws MailSignInRefused or Unreadable for what is not complete or not understood. */
function readRequest(
  headers: IncomingHttpHeaders,
  protocol: string,
  door: NginxDoor,
  backends: Backends,
): { login: string; secret: string; ip: string; protocol: ProxiedProtocol } {
  const ip = addressOf(headers, door)
  const isKnown = isProtocol(protocol) && backends.has(protocol) && (door === 'public' || protocol === 'imap')
  if (!isKnown || ip === undefined) throw new Unreadable()
  // the others prove a password without telling it, which nothing here could check
  const method = String(headers['auth-method'] ?? 'plain').toLowerCase()
  if (method !== 'plain') throw new Unreadable()
  const login = decodePercent(headerText(headers['auth-user']) ?? '')
  const secret = decodePercent(headerText(headers['auth-pass']) ?? '')
  if (login === '' || secret === '') throw new MailSignInRefused('password')
  return { login, secret, ip, protocol }
}

/**
 * What was presented goes on to the server behind as it is. The proxy knows the password; it is repeated as the reference
 * does, as far as a header can hold it. The login goes back where we understood another spelling.
 */
function accepted(backend: Backend, user: MailUser, { login, secret }: MailAttempt): Record<string, string> {
  return {
    'Auth-Status': 'OK',
    'Auth-Server': backend.address,
    'Auth-Port': String(backend.port),
    ...(login !== user.email && isHeaderSafe(user.email) && { 'Auth-User': user.email }),
    ...(isHeaderSafe(secret) && { 'Auth-Pass': secret }),
  }
}

function refused(headers: IncomingHttpHeaders): Record<string, string> {
  return { 'Auth-Status': 'authentication failure', ...again(headers) }
}

/** SMTP has a code of its own for what is worth another try (RFC 4954 §6). */
function putOff(headers: IncomingHttpHeaders): Record<string, string> {
  const isSmtp = String(headers['auth-protocol']).toLowerCase() === 'smtp'
  return {
    'Auth-Status': 'temporary authentication failure',
    ...(isSmtp && { 'Auth-Error-Code': '454 4.7.0' }),
    ...again(headers),
  }
}

/** Without a time to wait nginx closes the connection. */
function again(headers: IncomingHttpHeaders): Record<string, string> {
  return Number(headers['auth-login-attempt'] ?? 1) < mostTries ? { 'Auth-Wait': String(wait) } : {}
}
