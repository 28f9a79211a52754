import { isIP } from 'node:net'
import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import { plainAddress } from '../../../platform/http/callers/network-list.ts'
import type { MailAttempt } from '../mail-sign-in.ts'
import { decodePercent, readUtf8, Unreadable } from './wire-text.ts'

/** Names of services as Cyrus and Postfix have them. */
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

/** A server that does not say what for asks for mail: never what is for calendars or files alone. */
const anyMail = ['imap', 'smtp'] as const

/** What is asked to be let in to. Throws Unreadable for a service that we do not know. */
export function servicesOf(name: string | undefined): MailAttempt['services'] {
  if (name === undefined || name === '') return anyMail
  const service = Object.hasOwn(services, name.toLowerCase()) ? services[name.toLowerCase()] : undefined
  if (service === undefined) throw new Unreadable()
  return [service]
}

/**
 * `user realm password`, each URL-encoded, as saslauthd sends it. All that follows the second blank is the password: some
 * clients do not encode the blanks in it. Throws Unreadable.
 */
export function readSaslBody(body: Buffer): { login: string; secret: string } {
  const text = readUtf8(body).replace(/\r?\n$/, '')
  const [, user, realm, password] = /^([^ ]*) ([^ ]*) (.*)$/s.exec(text) ?? []
  if (user === undefined || realm === undefined || password === undefined) throw new Unreadable()
  return { login: joinRealm(decodePercent(user), decodePercent(realm)), secret: decodePercent(password) }
}

/** Cyrus parts an address at its "@"; technical users have no realm. */
export function joinRealm(user: string, realm: string): string {
  return realm === '' ? user : `${user}@${realm}`
}

/** Where somebody is, for servers that know. Throws Unreadable for what is no address. */
export function clientAddress(value: string | string[] | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || isIP(value) === 0) throw new Unreadable()
  return plainAddress(value)
}
