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

/**
 * The requesting proxy: the public one, or the webmail's, which sends the client's address in another header.
 */
export type NginxDoor = 'public' | 'webmail'

/** Seconds before a connection may try again. */
const wait = 3
/** Attempts after which a connection is closed. */
const mostTries = 10

/** App password scope required by each protocol. */
const scopeOf: Readonly<Record<ProxiedProtocol, AppPasswordScope>> = {
  imap: 'imap',
  pop3: 'imap',
  smtp: 'smtp',
}

/**
 * Responds to nginx's mail module (ngx_mail_auth_http_module): always with headers and never with an error
 * status, which nginx would report to the client as a server error.
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

/** Returns the address of the proxy's client. */
function addressOf(headers: IncomingHttpHeaders, door: NginxDoor): string | undefined {
  const text = headers[door === 'public' ? 'client-ip' : 'proxy-protocol-addr']
  return typeof text === 'string' && isIP(text) !== 0 ? plainAddress(text) : undefined
}

/** Throws MailSignInRefused or Unreadable if the request is incomplete or invalid. */
function readRequest(
  headers: IncomingHttpHeaders,
  protocol: string,
  door: NginxDoor,
  backends: Backends,
): { login: string; secret: string; ip: string; protocol: ProxiedProtocol } {
  const ip = addressOf(headers, door)
  const isKnown = isProtocol(protocol) && backends.has(protocol) && (door === 'public' || protocol === 'imap')
  if (!isKnown || ip === undefined) throw new Unreadable()
  // other methods prove knowledge of the password without sending it, which can't be verified here
  const method = String(headers['auth-method'] ?? 'plain').toLowerCase()
  if (method !== 'plain') throw new Unreadable()
  const login = decodePercent(headerText(headers['auth-user']) ?? '')
  const secret = decodePercent(headerText(headers['auth-pass']) ?? '')
  if (login === '' || secret === '') throw new MailSignInRefused('password')
  return { login, secret, ip, protocol }
}

/**
 * The presented secret is passed on to the server behind. The proxy knows the password; it is returned like in
 * the reference, if a header can contain it. The login is returned if it was normalised.
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

/** SMTP has its own code for temporary authentication failures (RFC 4954 §6). */
function putOff(headers: IncomingHttpHeaders): Record<string, string> {
  const isSmtp = String(headers['auth-protocol']).toLowerCase() === 'smtp'
  return {
    'Auth-Status': 'temporary authentication failure',
    ...(isSmtp && { 'Auth-Error-Code': '454 4.7.0' }),
    ...again(headers),
  }
}

/** Without a wait time, nginx closes the connection. */
function again(headers: IncomingHttpHeaders): Record<string, string> {
  return Number(headers['auth-login-attempt'] ?? 1) < mostTries ? { 'Auth-Wait': String(wait) } : {}
}
