import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import { plainAddress } from '../../../platform/http/callers/network-list.ts'
import { fromDomainUser } from '../login-name.ts'
import { headerText, readUtf8, Unreadable } from './wire-text.ts'

/** The request a web server wants to have authorised; reference api-meet-files-mail §3.9. */
export type BasicRequest =
  /** No credentials: the application behind decides. */
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'no-password' }
  | {
      readonly kind: 'attempt'
      readonly login: string
      readonly secret: string
      readonly ip: string
      readonly service: AppPasswordScope
    }

/**
 * Reads the credentials of HTTP basic authentication (RFC 7617), from the browser's header or the reference's
 * two headers. Throws Unreadable.
 */
export function readBasic(headers: IncomingHttpHeaders): BasicRequest {
  const { login, secret } = fromAuthorization(headers) ?? {
    login: headerText(headers['php-auth-user']) ?? '',
    secret: headerText(headers['php-auth-pw']) ?? '',
  }
  if (login === '') return { kind: 'anonymous' }
  if (secret === '') return { kind: 'no-password' }
  const ip = headers['x-real-ip']
  if (typeof ip !== 'string' || isIP(ip) === 0) throw new Unreadable()
  return {
    kind: 'attempt',
    login: fromDomainUser(login),
    secret,
    ip: plainAddress(ip),
    service: serviceOf(headers),
  }
}

/** Reads the credentials of basic authentication; undefined if there are none. Throws Unreadable. */
export function readCredentials(headers: IncomingHttpHeaders): { login: string; secret: string } | undefined {
  const found = fromAuthorization(headers)
  return found && { ...found, login: fromDomainUser(found.login) }
}

function fromAuthorization(headers: IncomingHttpHeaders): { login: string; secret: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = readUtf8(Buffer.from(encoded, 'base64'))
  const colon = text.indexOf(':')
  return colon < 0
    ? { login: text, secret: '' }
    : { login: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/**
 * Returns the requested service: calendars and contacts by default, or files. Throws Unreadable for anything
 * else.
 */
function serviceOf(headers: IncomingHttpHeaders): AppPasswordScope {
  const named = headers['auth-protocol'] ?? 'dav'
  if (named !== 'dav' && named !== 'files') throw new Unreadable()
  return named
}
