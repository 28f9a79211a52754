import type { MailServer } from '../../platform/mailer/mail-servers.ts'
import { element, writeXml, type XmlElement } from '../../platform/xml/write-xml.ts'
import type { AccountSetup } from './account-setup.ts'

const root = 'http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006'
const outlook = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a'
const mobileSync = 'http://schemas.microsoft.com/exchange/autodiscover/mobilesync/responseschema/2006'

const encryptions = { ssl: 'SSL', tls: 'TLS', plain: 'None' } as const

/** Renders the response for Outlook (MS-OXDSCLI); reference api-auth §20. */
export function outlookSettings(setup: AccountSetup): string {
  const servers: [string, MailServer | undefined][] = [
    ['IMAP', setup.imap],
    ['POP3', setup.pop3],
    ['SMTP', setup.smtp],
  ]
  return answer([
    element(
      'Response',
      [
        element('User', [element('DisplayName', ''), element('AutoDiscoverSMTPAddress', setup.username)]),
        element('Account', [
          element('AccountType', 'email'),
          element('Action', 'settings'),
          ...servers.flatMap(([type, server]) =>
            server === undefined ? [] : [protocol(type, server, setup.username)],
          ),
        ]),
      ],
      { xmlns: outlook },
    ),
  ])
}

function protocol(
  type: string,
  { host, port, encryption, isPasswordHidden }: MailServer,
  login: string,
): XmlElement {
  return element('Protocol', [
    element('Type', type),
    element('Server', host),
    element('Port', String(port)),
    element('LoginName', login),
    element('SPA', isPasswordHidden ? 'on' : 'off'),
    element('Encryption', encryptions[encryption]),
  ])
}

/** Renders the response for phones that use ActiveSync. */
export function mobileSyncSettings(setup: AccountSetup, url: string): string {
  return answer([
    element(
      'Response',
      [
        element('User', [element('DisplayName', ''), element('EMailAddress', setup.username)]),
        element('Action', [
          element('Settings', [
            element('Server', [element('Type', 'MobileSync'), element('Url', url), element('Name', url)]),
          ]),
        ]),
      ],
      { xmlns: mobileSync },
    ),
  ])
}

/** Renders the generic error, which reveals nothing about the address. */
export function autodiscoverError(now: Date): string {
  const attributes = { Time: now.toISOString().slice(11, 23), Id: String(now.getTime() % 2 ** 31) }
  return answer([
    element('Response', [
      element(
        'Error',
        [element('ErrorCode', '600'), element('Message', 'Invalid Request'), element('DebugData', '')],
        attributes,
      ),
    ]),
  ])
}

function answer(content: readonly XmlElement[]): string {
  return writeXml(element('Autodiscover', content, { xmlns: root }))
}

/** Returns whether a client requests ActiveSync settings. */
export function wantsMobileSync(schema: string): boolean {
  return schema.toLowerCase().includes('mobilesync')
}
