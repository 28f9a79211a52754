import type { MailServer } from '../../platform/mailer/mail-servers.ts'
import { element, writeXml, type XmlElement } from '../../platform/xml/write-xml.ts'
import type { AccountSetup } from './account-setup.ts'

const socketTypes = { ssl: 'SSL', tls: 'STARTTLS', plain: 'plain' } as const

/** Renders the configuration for Thunderbird and others (clientConfig 1.1); reference api-auth §20. */
export function autoconfig(
  setup: AccountSetup,
  names: { readonly name: string; readonly shortName: string },
): string {
  const { domain, username, imap, pop3, smtp } = setup
  const server = (
    kind: string,
    type: string,
    { host, port, encryption, isPasswordHidden }: MailServer,
  ): XmlElement =>
    element(
      kind,
      [
        element('hostname', host),
        element('port', String(port)),
        element('socketType', socketTypes[encryption]),
        element('username', username),
        element('authentication', isPasswordHidden ? 'password-encrypted' : 'password-cleartext'),
      ],
      { type },
    )
  const provider = [
    element('domain', domain),
    element('displayName', names.name),
    element('displayShortName', names.shortName),
    server('incomingServer', 'imap', imap),
    ...(pop3 === undefined ? [] : [server('incomingServer', 'pop3', pop3)]),
    server('outgoingServer', 'smtp', smtp),
  ]
  return writeXml(
    element('clientConfig', [element('emailProvider', provider, { id: domain })], { version: '1.1' }),
  )
}
