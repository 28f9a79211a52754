import type { ImportSecurity } from '@gatehouse/contract/mail/import-terms'

/** What is known about a provider's IMAP server. */
export interface GuessedServer {
  readonly host: string
  readonly port: number
  readonly security: ImportSecurity
  /** `app-password`: the account password doesn't work. `unsupported`: the provider accepts no passwords at all. */
  readonly note?: 'app-password' | 'unsupported'
}

const appPassword = { note: 'app-password' } as const

/** Servers of large providers by the domain of the address. */
const providers: readonly (readonly [domains: RegExp, server: Pick<GuessedServer, 'host' | 'note'>])[] = [
  [/^(gmail|googlemail)\.com$/, { host: 'imap.gmail.com', ...appPassword }],
  [/^(icloud|me|mac)\.com$/, { host: 'imap.mail.me.com', ...appPassword }],
  [/^(yahoo\.[a-z.]+|ymail\.com|rocketmail\.com)$/, { host: 'imap.mail.yahoo.com', ...appPassword }],
  [/^(outlook|hotmail|live|msn)\.[a-z.]+$/, { host: 'outlook.office365.com', note: 'unsupported' }],
  [/^gmx\.[a-z]+$/, { host: 'imap.gmx.net' }],
  [/^web\.de$/, { host: 'imap.web.de' }],
  [/^t-online\.de$/, { host: 'secureimap.t-online.de' }],
  [/^bluewin\.ch$/, { host: 'imaps.bluewin.ch' }],
  [/^(orange|wanadoo)\.fr$/, { host: 'imap.orange.fr' }],
  [/^libero\.it$/, { host: 'imapmail.libero.it' }],
]

/** Guesses the IMAP server of an address; undefined if it isn't one. */
export function guessServer(address: string): GuessedServer | undefined {
  const [, domain = ''] = /@([a-z0-9.-]+\.[a-z]{2,})$/i.exec(address.trim()) ?? []
  if (domain === '') return undefined
  const known = providers.find(([domains]) => domains.test(domain.toLowerCase()))
  const server = known?.[1] ?? { host: `imap.${domain.toLowerCase()}` }
  return { ...server, port: 993, security: 'tls' }
}
