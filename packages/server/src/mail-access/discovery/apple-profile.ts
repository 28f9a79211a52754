import { createHash } from 'node:crypto'
import type { MailServer } from '../../platform/mailer/mail-servers.ts'
import { element, writeXml, type XmlElement } from '../../platform/xml/write-xml.ts'
import type { AccountSetup } from './account-setup.ts'

/** A value of a property list. */
type Value = string | number | boolean | readonly Dictionary[]

interface Dictionary {
  readonly [key: string]: Value
}

export interface ProfileFacts {
  readonly setup: AccountSetup
  /** Name of the product. */
  readonly name: string
  /** Host of the portal: identifiers are unique below it. */
  readonly host: string
  /** Calendars and contacts; undefined: not offered. */
  readonly dav: URL | undefined
}

/**
 * Renders a configuration profile for iPhone, iPad and Mac: mail, calendars and contacts of one address. It has no
 * password, the device asks for it. Identifiers depend on the address only, so that another profile of the same address
 * replaces the first one.
 */
export function appleProfile({ setup, name, host, dav }: ProfileFacts): string {
  const { username } = setup
  const part = (type: string, values: Dictionary): Dictionary => ({
    ...values,
    PayloadType: type,
    PayloadVersion: 1,
    PayloadIdentifier: `${host}.${idOf(username, 'profile')}.${type}`,
    PayloadUUID: idOf(username, type),
    PayloadDisplayName: name,
  })
  const content = [
    part('com.apple.mail.managed', mailValues(setup, name)),
    ...(dav === undefined ? [] : davParts(dav, username, name).map(([type, values]) => part(type, values))),
  ]
  const profile: Dictionary = {
    PayloadContent: content,
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: `${host}.${idOf(username, 'profile')}`,
    PayloadUUID: idOf(username, 'profile'),
    PayloadDisplayName: `${name}: ${username}`,
    PayloadRemovalDisallowed: false,
  }
  return writeXml(element('plist', [dictionary(profile)], { version: '1.0' }))
}

function mailValues({ username, imap, smtp }: AccountSetup, name: string): Dictionary {
  return {
    EmailAccountDescription: name,
    EmailAccountType: 'EmailTypeIMAP',
    EmailAddress: username,
    ...serverValues('IncomingMailServer', imap, username),
    ...serverValues('OutgoingMailServer', smtp, username),
    OutgoingPasswordSameAsIncomingPassword: true,
  }
}

function serverValues(prefix: string, server: MailServer, username: string): Dictionary {
  return {
    [`${prefix}Authentication`]: server.isPasswordHidden ? 'EmailAuthCRAMMD5' : 'EmailAuthPassword',
    [`${prefix}HostName`]: server.host,
    [`${prefix}PortNumber`]: server.port,
    [`${prefix}UseSSL`]: server.encryption !== 'plain',
    [`${prefix}Username`]: username,
  }
}

function davParts(dav: URL, username: string, name: string): [type: string, values: Dictionary][] {
  const isSecure = dav.protocol === 'https:'
  const port = Number(dav.port) || (isSecure ? 443 : 80)
  const values = (kind: 'CalDAV' | 'CardDAV') => ({
    [`${kind}AccountDescription`]: name,
    [`${kind}HostName`]: dav.hostname,
    [`${kind}Port`]: port,
    [`${kind}UseSSL`]: isSecure,
    [`${kind}Username`]: username,
    ...(dav.pathname !== '/' && { [`${kind}PrincipalURL`]: dav.pathname }),
  })
  return [
    ['com.apple.caldav.account', values('CalDAV')],
    ['com.apple.carddav.account', values('CardDAV')],
  ]
}

/** A UUID that depends on its input only (RFC 9562 §5.8). */
function idOf(username: string, purpose: string): string {
  const hash = createHash('sha256').update(`${username}\n${purpose}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function dictionary(values: Dictionary): XmlElement {
  return element(
    'dict',
    Object.entries(values).flatMap(([key, value]) => [element('key', key), valueElement(value)]),
  )
}

function valueElement(value: Value): XmlElement {
  if (typeof value === 'string') return element('string', value)
  if (typeof value === 'number') return element('integer', String(value))
  if (typeof value === 'boolean') return element(String(value), '')
  return element('array', value.map(dictionary))
}
