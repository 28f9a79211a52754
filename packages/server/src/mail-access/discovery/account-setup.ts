import type { Db } from '../../platform/db/database.ts'
import { fillIn, type MailServer, readMailServer } from '../../platform/mailer/mail-servers.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { readLoginName } from '../sign-in/login-name.ts'
import type { DiscoverySettings } from './discovery-settings.ts'
import { isHosted } from './store.ts'

/** Client settings for addresses in a domain. */
export interface AccountSetup {
  readonly domain: string
  /** The login; `%EMAILADDRESS%` if the client did not send the address and fills it in itself. */
  readonly username: string
  readonly imap: MailServer
  readonly pop3: MailServer | undefined
  readonly smtp: MailServer
  /** URL of ActiveSync. */
  readonly activeSync: string | undefined
}

/** Placeholder that clients replace with the address (Thunderbird's autoconfiguration format). */
const ownAddress = '%EMAILADDRESS%'

export type SetupConfig = Pick<SiteConfig, 'domain'> &
  Pick<
    DiscoverySettings,
    'APP_DISCOVERY_IMAP' | 'APP_DISCOVERY_POP3' | 'APP_DISCOVERY_SMTP' | 'APP_DISCOVERY_ACTIVESYNC'
  >

/**
 * Returns the settings for an address; undefined if its domain isn't hosted here. Depends on the domain only,
 * so it doesn't reveal which users exist.
 */
export async function setupForAddress(
  db: Db,
  config: SetupConfig,
  text: string,
): Promise<AccountSetup | undefined> {
  const address = readLoginName(text.trim())
  const domain = address?.slice(address.indexOf('@') + 1)
  if (address === undefined || domain === undefined || !(await isHosted(db, domain))) return undefined
  return setup(config, domain, address)
}

/** Same as `setupForAddress`, by host name, for clients that don't send the address. */
export async function setupForHost(
  db: Db,
  config: SetupConfig,
  host: string,
): Promise<AccountSetup | undefined> {
  const domain = host.toLowerCase().replace(/^autoconfig\./, '')
  return (await isHosted(db, domain)) ? setup(config, domain, ownAddress) : undefined
}

function setup(config: SetupConfig, domain: string, username: string): AccountSetup {
  const places = { host: config.domain, domain }
  const { APP_DISCOVERY_POP3: pop3, APP_DISCOVERY_ACTIVESYNC: activeSync } = config
  return {
    domain,
    username,
    imap: serverOf(config.APP_DISCOVERY_IMAP, places),
    pop3: pop3 === 'none' ? undefined : serverOf(pop3, places),
    smtp: serverOf(config.APP_DISCOVERY_SMTP, places),
    activeSync: activeSync === 'none' ? undefined : activeSyncUrl(fillIn(activeSync, places)),
  }
}

function serverOf(text: string, places: Parameters<typeof fillIn>[1]): MailServer {
  const server = readMailServer(text)
  if (server === undefined) throw new Error(`${text} is not a valid server`)
  return { ...server, host: fillIn(server.host, places) }
}

function activeSyncUrl(text: string): string {
  return text.includes('://') ? text : `https://${text}/Microsoft-Server-ActiveSync`
}
