import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import type { ServiceSettings } from '../platform/http/callers/service-settings.ts'
import type { MessageKey } from '../platform/i18n/translator.ts'
import { fillIn, readMailServer } from '../platform/mailer/mail-servers.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { isWithin } from '../users/addresses/domain-name.ts'
import { isHostName } from '../users/addresses/email-address.ts'

/** Rules for the hosts and domains that tenants may use. */
export interface AddressRules {
  /** Origin and base path of the installation; the path is empty at the root. */
  readonly installation: { readonly origin: string; readonly path: string }
  /** The hosts of the three variants, which no tenant can have. */
  readonly variantHosts: readonly string[]
  /** Hosts of the installation and its services; tenants can't have these or their subdomains. */
  readonly ownHosts: readonly string[]
  /** The mail domain of the installation. */
  readonly mailDomain: string
  /** The installation's sender, for tenants without their own. */
  readonly sender: string
  /** Special-use names; tenants can't have these or their subdomains. Empty in development. */
  readonly reserved: readonly string[]
  readonly isHttpAllowed: boolean
}

/** The settings that determine which addresses tenants may have. */
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

/** Returns the rules of an installation. */
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

/** Returns the host of a setting that is a URL or a bare host; undefined for a path. */
function hostIn(text: string): string | undefined {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  return text === '' || text.startsWith('/') || !URL.canParse(url) ? undefined : new URL(url).hostname
}

/** Returns the domain of an e-mail address, in ASCII and lower case. */
export function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1).toLowerCase())
}

/** A setting's value was rejected; the key names the message. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
  readonly key: MessageKey

  constructor(key: MessageKey) {
    super(key)
    this.key = key
  }
}

export interface TenantUrl {
  /** `https://host` or `https://host:port`, the stored form. */
  readonly origin: string
  /** The normalized host: lower case, Punycode, without trailing dot and port. */
  readonly host: string
}

/**
 * Parses the URL of a tenant's portal. `isBelowAllowed`: allows hosts below the installation's, except those
 * it uses itself; operators place tenants there. Throws AddressRefused.
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

/** Whether the installation reserves a host for itself. */
export function isReservedHost(host: string, rules: AddressRules, isBelowAllowed = false): boolean {
  const [main, ...others] = rules.ownHosts
  const taken = isBelowAllowed ? [...rules.variantHosts.slice(1), ...others] : rules.ownHosts
  return host === main || taken.some((own) => isWithin(host, own))
}

/** Parses a URL for links. Throws AddressRefused. */
export function parseLink(text: string, rules: Pick<AddressRules, 'isHttpAllowed'>): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new AddressRefused('validation.url')
  const hasUser = url.username !== '' || url.password !== '' || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(text)
  if (hasUser) throw new AddressRefused('tenants.url-user')
  if (url.protocol === 'http:' && !rules.isHttpAllowed) throw new AddressRefused('tenants.url-https')
  return url
}

/**
 * Returns the domain of a sender address a tenant may want to use. `foreign`: sign-up domains of other
 * tenants. Throws AddressRefused.
 */
export function senderDomain(address: string, rules: AddressRules, foreign: readonly string[]): string {
  const domain = domainOf(address)
  requireFullName(domain, 'tenants.sender-invalid')
  if (isReservedSender(domain, rules, foreign)) throw new AddressRefused('tenants.sender-own')
  return domain
}

/**
 * Whether tenants may never send mail from a domain: it belongs to the installation or is a sign-up domain
 * elsewhere.
 */
export function isReservedSender(domain: string, rules: AddressRules, foreign: readonly string[]): boolean {
  const names = [rules.variantHosts[0] ?? '', rules.mailDomain, ...foreign]
  return (
    rules.reserved.some((name) => isWithin(domain, name)) ||
    // receivers that only compare organizational domains would take a parent of ours for ours
    names.some((own) => isWithin(domain, own) || isWithin(own, domain))
  )
}

function requireFullName(name: string, key: MessageKey): void {
  const isPublic = parse(name, { allowPrivateDomains: true }).publicSuffix === name
  if (!isHostName(name) || isPublic) throw new AddressRefused(key)
}
