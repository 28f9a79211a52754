import { isIP } from 'node:net'
import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import { plainAddress } from '../../../platform/http/callers/network-list.ts'
import type { MailAttempt } from '../mail-sign-in.ts'
import { decodePercent, readUtf8, Unreadable } from './wire-text.ts'

/** Service names used by Cyrus and Postfix. */
const services: Readonly<Record<string, AppPasswordScope>> = {
  imap: 'imap',
  pop: 'imap',
  pop3: 'imap',
  sieve: 'imap',
  smtp: 'smtp',
  http: 'dav',
  dav: 'dav',
  files: 'files',
}

/** Without a service name, mail access is required; passwords for calendars or files are never sufficient. */
const anyMail = ['imap', 'smtp'] as const

/** Returns the requested services. Throws Unreadable for an unknown service. */
export function servicesOf(name: string | undefined): MailAttempt['services'] {
  if (name === undefined || name === '') return anyMail
  const service = Object.hasOwn(services, name.toLowerCase()) ? services[name.toLowerCase()] : undefined
  if (service === undefined) throw new Unreadable()
  return [service]
}

/**
 * Parses `user realm password`, each URL-encoded, as saslauthd sends it. Everything after the second space is
 * the password, because some clients don't encode its spaces. Throws Unreadable.
 */
export function readSaslBody(body: Buffer): { login: string; secret: string } {
  const text = readUtf8(body).replace(/\r?\n$/, '')
  const [, user, realm, password] = /^([^ ]*) ([^ ]*) (.*)$/s.exec(text) ?? []
  if (user === undefined || realm === undefined || password === undefined) throw new Unreadable()
  return { login: joinRealm(decodePercent(user), decodePercent(realm)), secret: decodePercent(password) }
}

/** Joins user and realm, which Cyrus splits at the "@"; technical users have no realm. */
export function joinRealm(user: string, realm: string): string {
  return realm === '' ? user : `${user}@${realm}`
}

/** Returns the client's address, from servers that know it. Throws Unreadable for an invalid address. */
export function clientAddress(value: string | string[] | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || isIP(value) === 0) throw new Unreadable()
  return plainAddress(value)
}
