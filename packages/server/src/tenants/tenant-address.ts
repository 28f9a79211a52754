import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import type { ServiceSettings } from '../platform/http/callers/service-settings.ts'
import type { MessageKey } from '../platform/i18n/translator.ts'
import { fillIn, readMailServer } from '../platform/mailer/mail-servers.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { isWithin } from '../users/addresses/domain-name.ts'
import { isHostName } from '../users/addresses/email-address.ts'

/** What decides which hosts and domains may be a tenant's. */
export interface AddressRules {
  /** Origin of the installation and the path below which it lives; the path is empty at the root. */
  readonly installation: { readonly origin: string; readonly path: string }
  /** The hosts of the three variants, which no tenant ever gets. */
  readonly variantHosts: readonly string[]
  /** Hosts of the installation and its services: nothing at or below them is a tenant's. */
  readonly ownHosts: readonly string[]
  /** The domain that the mails of the installation come from. */
  readonly mailDomain: string
  /** The sender of the installation, for tenants without one of their own. */
  readonly sender: string
  /** Names for special use: nothing at or below them is a tenant's. Empty in development. */
  readonly reserved: readonly string[]
  readonly isHttpAllowed: boolean
}

/** The settings that tell which addresses tenants may have. */
export type AddressConfig = Pick<
  SiteConfig,
  'APP_URL' | 'APP_WEBMAIL_URL' | 'domain' | 'mailFrom' | 'production'
> &
  Pick<HostingConfig, 'mailSetup' | 'reservedDomains'> &
  Pick<ServiceSettings, 'APP_SERVICES_ALLOWED_DOMAINS'> &
  Readonly<
    Record<
      'APP_DISCOVERY_IMAP' | 'APP_DISCOVERY_POP3' | 'APP_DISCOVERY_SMTP' | 'APP_DISCOVERY_ACTIVESYNC',
      string
    >
  > & { readonly APP_DISCOVERY_DAV?: string | undefined }

/** The rules of an installation. */
export function addressRules(config: AddressConfig): AddressRules {
  const { domain, mailSetup } = config
  const { origin, pathname } = new URL(config.APP_URL)
  const places = { host: domain, domain: '' }
  const mailServers = [config.APP_DISCOVERY_IMAP, config.APP_DISCOVERY_POP3, config.APP_DISCOVERY_SMTP]
    .filter((text) => !text.includes('%d'))
    .map((text) => readMailServer(fillIn(text, places))?.host)
  const services = [config.APP_WEBMAIL_URL, config.APP_DISCOVERY_DAV, config.APP_DISCOVERY_ACTIVESYNC]
    .filter((text) => text?.includes('%d') !== true)
    .map((text) => hostIn(fillIn(text ?? '', places)))
  const hosts = [
    domain,
    mailSetup.autoconfig,
    mailSetup.autodiscover,
    ...mailSetup.mx.map(({ host }) => host),
    ...mailServers,
    ...services,
    ...(config.APP_SERVICES_ALLOWED_DOMAINS ?? []),
  ]
  return {
    installation: { origin, path: pathname.replace(/\/+$/, '') },
    variantHosts: [domain, `admin.${domain}`, `reseller.${domain}`],
    ownHosts: [...new Set(hosts.flatMap((host) => (host ? [host.toLowerCase()] : [])))],
    mailDomain: domainOf(config.mailFrom.address),
    sender: config.mailFrom.address,
    reserved: config.production ? config.reservedDomains : [],
    isHttpAllowed: !config.production,
  }
}

/** The host of a setting that is an address or a bare host; undefined: it is a path. */
function hostIn(text: string): string | undefined {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  return text === '' || text.startsWith('/') || !URL.canParse(url) ? undefined : new URL(url).hostname
}

/** The domain of a mail address, in ASCII and lower case. */
export function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1).toLowerCase())
}

/** A value of a setting that is refused; the key names the sentence. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  readonly key: MessageKey

  constructor(key: MessageKey) {
    super(key)
    this.key = key
  }
}

export interface TenantUrl {
  /** `https://host` or `https://host:port`, the form in which it is kept. */
  readonly origin: string
  /** The identity of the host: lower case, punycode, without trailing dot and port. */
  readonly host: string
}

/**
 * Reads the URL of a tenant's portal. `isBelowAllowed`: the host may lie below that of the installation, save the names
 * that it uses itself; operators place tenants there. Throws AddressRefused.
 */
export function parseTenantUrl(text: string, rules: AddressRules, isBelowAllowed = false): TenantUrl {
  const url = parseLink(text, rules)
  const isOwnPath = url.pathname.replace(/\/+$/, '') === rules.installation.path
  if ((url.pathname !== '/' && !isOwnPath) || /[?#]/.test(text)) throw new AddressRefused('tenants.url-path')
  const host = url.hostname.replace(/\.$/, '')
  requireFullName(host, 'tenants.host-invalid')
  if (rules.reserved.some((name) => isWithin(host, name))) throw new AddressRefused('tenants.host-invalid')
  if (isReservedHost(host, rules, isBelowAllowed)) throw new AddressRefused('tenants.host-own')
  return { origin: `${url.protocol}//${host}${url.port && `:${url.port}`}`, host }
}

/** True for a host that the installation keeps for itself. */
export function isReservedHost(host: string, rules: AddressRules, isBelowAllowed = false): boolean {
  const [main, ...others] = rules.ownHosts
  const taken = isBelowAllowed ? [...rules.variantHosts.slice(1), ...others] : rules.ownHosts
  return host === main || taken.some((own) => isWithin(host, own))
}

/** Reads a web address that people follow. Throws AddressRefused. */
export function parseLink(text: string, rules: Pick<AddressRules, 'isHttpAllowed'>): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new AddressRefused('validation.url')
  const hasUser = url.username !== '' || url.password !== '' || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(text)
  if (hasUser) throw new AddressRefused('tenants.url-user')
  if (url.protocol === 'http:' && !rules.isHttpAllowed) throw new AddressRefused('tenants.url-https')
  return url
}

/**
 * The domain of a sender address that a tenant may come to use. `foreign`: sign-up domains that are not the tenant's.
 * Throws AddressRefused.
 */
export function senderDomain(address: string, rules: AddressRules, foreign: readonly string[]): string {
  const domain = domainOf(address)
  requireFullName(domain, 'tenants.sender-invalid')
  if (isReservedSender(domain, rules, foreign)) throw new AddressRefused('tenants.sender-own')
  return domain
}

/** True for a domain that mails of a tenant never come from: of the installation, or open for sign-up elsewhere. */
export function isReservedSender(domain: string, rules: AddressRules, foreign: readonly string[]): boolean {
  const names = [rules.variantHosts[0] ?? '', rules.mailDomain, ...foreign]
  return (
    rules.reserved.some((name) => isWithin(domain, name)) ||
    // receivers that compare organisational domains only would take a name above ours for ours
    names.some((own) => isWithin(domain, own) || isWithin(own, domain))
  )
}

function requireFullName(name: string, key: MessageKey): void {
  const isPublic = parse(name, { allowPrivateDomains: true }).publicSuffix === name
  if (!isHostName(name) || isPublic) throw new AddressRefused(key)
}
