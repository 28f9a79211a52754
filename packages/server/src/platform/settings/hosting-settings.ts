import { z } from 'zod'
import { count, hostName, hostNames, list, nameServers } from './setting-kinds.ts'

const mailServers = list
  .refine((entries) => entries.length > 0 && entries.every((entry) => mailServerPattern.test(entry)), {
    error: 'must be host names with their priority, such as mx1.example.org:10,mx2.example.org:20',
  })
  .transform((entries) =>
    entries.map((entry) => {
      const [host = '', priority = '10'] = entry.toLowerCase().split(':')
      return { host, priority: Number(priority) }
    }),
  )
const mailServerPattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,4})?$/i

/** Customers' domains, and the mail service they point to. */
export const hostingSettings = {
  DNS_SERVERS: nameServers
    .default([])
    .describe(
      'Name servers for lookups of domains, each `address` or `address:port`. If not set: the name servers of the system',
    ),
  DNS_TIMEOUT: count(2000, 50, 30_000).describe('Timeout of a DNS lookup in milliseconds'),
  RESERVED_DOMAINS: hostNames
    .optional()
    .describe(
      'Domains that customers cannot add, including their subdomains. If not set: special-use names, in production also `test` and `example`',
    ),
  MAIL_MX: mailServers
    .optional()
    .describe(
      'Mail servers of hosted domains, each `host:priority`. If not set: `mx.` the host of `APP_URL`',
    ),
  MAIL_SPF: z
    .string()
    .regex(
      /^(include|redirect|a|mx|ip4|ip6|exists)\b[^\s"]*$/i,
      'must be one SPF term such as include:spf.example.org',
    )
    .optional()
    .describe('SPF term required for hosted domains. If not set: `include:spf.` the host of `APP_URL`'),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, 'must be one label of a host name')
    .default('gatehouse')
    .describe('DKIM selector of the key in `MAIL_DKIM`'),
  MAIL_DKIM: z
    .string()
    .regex(
      /^(v=DKIM1\s*;[ -~]+|[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?)$/i,
      'must be a host name or begin with v=DKIM1;',
    )
    .optional()
    .describe(
      'DKIM key that all hosted domains share and your mail servers sign with: a `v=DKIM1;…` record, or the host name that has it. If not set: each domain has keys of its own',
    ),
  MAIL_DMARC: z
    .string()
    .regex(/^v=DMARC1\s*;\s*p=(none|quarantine|reject)\b[ -~]*$/i, 'must begin with v=DMARC1; p=')
    .default('v=DMARC1; p=quarantine')
    .describe('DMARC policy recommended for hosted domains'),
  MAIL_AUTOCONFIG_HOST: hostName
    .optional()
    .describe(
      'Host that serves autoconfig to mail programs. If not set: `autoconfig.` the host of `APP_URL`',
    ),
  MAIL_AUTODISCOVER_HOST: hostName
    .optional()
    .describe('Host that serves autodiscover. If not set: `autodiscover.` the host of `APP_URL`'),
}

const parsedSettings = z.object(hostingSettings)

type HostingSettings = z.infer<typeof parsedSettings>

/** The DNS records that a hosted domain needs for mail. */
export interface MailSetup {
  readonly mx: readonly { readonly host: string; readonly priority: number }[]
  /** One SPF mechanism. */
  readonly spf: string
  readonly dkimSelector: string
  /**
   * The key that all domains share: a host name, or a text that starts with `v=DKIM1`. Null: each has its own.
   */
  readonly dkim: string | null
  readonly dmarc: string
  readonly autoconfig: string
  readonly autodiscover: string
}

/** The settings of hosted domains, with derived values. */
export type HostingConfig = HostingSettings & {
  readonly mailSetup: MailSetup
  /** Domains that can't be added, including their subdomains. */
  readonly reservedDomains: readonly string[]
}

/** Returns the DNS records that hosted domains need; `domain` is the installation's host. */
export function mailSetup(value: HostingSettings, domain: string): MailSetup {
  return {
    mx: value.MAIL_MX ?? [{ host: `mx.${domain}`, priority: 10 }],
    spf: value.MAIL_SPF ?? `include:spf.${domain}`,
    dkimSelector: value.MAIL_DKIM_SELECTOR.toLowerCase(),
    dkim: value.MAIL_DKIM ?? null,
    dmarc: value.MAIL_DMARC,
    autoconfig: (value.MAIL_AUTOCONFIG_HOST ?? `autoconfig.${domain}`).toLowerCase(),
    autodiscover: (value.MAIL_AUTODISCOVER_HOST ?? `autodiscover.${domain}`).toLowerCase(),
  }
}

/** Names without meaning outside a network, or that can't be registered (RFC 6761 and its successors). */
const specialUse = [
  'localhost',
  'local',
  'invalid',
  'onion',
  'internal',
  'arpa',
  'alt',
  'lan',
  'home',
  'corp',
]
/** For documentation and tests: demos and test runs use them, a production installation must not. */
const forTrials = ['test', 'example', 'example.com', 'example.net', 'example.org']

/** Returns the domains that can't be added, in lower case. */
export function reservedDomains(value: HostingSettings, production: boolean): string[] {
  const reserved = value.RESERVED_DOMAINS ?? [...specialUse, ...(production ? forTrials : [])]
  return reserved.map((name) => name.toLowerCase())
}
