import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { type Language, languages } from '@gatehouse/contract/language'
import { paymentMethods } from '@gatehouse/contract/payments'
import { z } from 'zod'
import { paymentSettings, paymentSettingsProblem } from '../../billing/payments/payment-settings.ts'
import { fileSettings, fileSettingsProblem } from '../../files/file-settings.ts'
import {
  discoverySettings,
  discoverySettingsProblem,
} from '../../mail-access/discovery/discovery-settings.ts'
import { mailAuthSettings } from '../../mail-access/sign-in/mail-auth-settings.ts'
import { meetSettings, meetSettingsProblem } from '../../meetings/meet-settings.ts'
import { oauthSettings, oauthSettingsProblem } from '../../oauth/oauth-settings.ts'
import { countrySettings, countrySettingsProblem } from '../../platform/country-database/country-settings.ts'
import { chainHeader } from '../../platform/http/client-address.ts'
import { isLoopbackHost } from '../../platform/http/loopback.ts'
import { networkList } from '../../platform/http/network-list.ts'
import { serviceSettings, serviceSettingsProblem } from '../../platform/http/service-settings.ts'
import { shortestSecret } from '../../platform/installation-keys/master-secret.ts'
import { companionSettings } from '../../sessions/companions/companion-settings.ts'
import { identitySettings } from '../../sessions/identity-settings.ts'

/** Settings are missing, malformed or contradict each other. The message names each of them. */
export class ConfigError extends Error {
  override name = 'ConfigError'

  /** Each problem is `SETTING: sentence`. */
  constructor(readonly problems: readonly string[]) {
    super(`Gatehouse cannot start. Wrong settings:\n  ${problems.join('\n  ')}`)
  }
}

const yesOrNo = z
  .enum(['0', '1', 'true', 'false', 'on', 'off', 'yes', 'no'])
  .transform((value) => ['1', 'true', 'on', 'yes'].includes(value))

const flag = (fallback: boolean) => yesOrNo.default(fallback)

const wholeNumber = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max))

const count = (fallback: number, min: number, max: number) => wholeNumber(min, max).default(fallback)

const list = z.string().transform((value) =>
  value
    .split(/[,\s]+/)
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

const networks = list.refine(areNetworks, { error: 'must be addresses or networks such as 10.0.0.0/8' })

function areNetworks(entries: readonly string[]): boolean {
  try {
    networkList(entries)
    return true
  } catch {
    return false
  }
}

const headerName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9-]+$/, 'must be the name of a header')
  .refine((name) => name !== 'forwarded', {
    error: 'Forwarded is not supported; let the proxy send X-Forwarded-For',
  })

/** `address`, `address:port` or `[address]:port`. */
const nameServers = list.refine((entries) => entries.every(isNameServer), {
  error: 'must be network addresses of name servers, each with a port after a colon if it is not 53',
})

function isNameServer(entry: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const address = bracketed ?? plain ?? entry
  return isIP(address) !== 0 && Number(port) >= 1 && Number(port) <= 65_535
}

const hostNames = list.refine((entries) => entries.every((entry) => hostNamePattern.test(entry)), {
  error: 'must be host names',
})
const hostName = z.string().regex(/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i, 'must be a host name')
const hostNamePattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

const methods = list.pipe(z.array(z.enum(paymentMethods)))

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

const url = (protocols: string[]) =>
  z.string().refine(
    (value) => {
      const parsed = tryUrl(value)
      return parsed !== null && protocols.includes(parsed.protocol)
    },
    { error: `must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}` },
  )

function tryUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

const passwordPolicy = z
  .string()
  .regex(
    /^((min|max|last):\d{1,4}|lower|upper|digit|special)(,((min|max|last):\d{1,4}|lower|upper|digit|special))*$/,
    'must be rules such as min:6,max:255,lower,upper,digit,special,last:3',
  )
  .refine((text) => ruleNumber(text, 'min', 0) <= ruleNumber(text, 'max', Number.POSITIVE_INFINITY), {
    error: 'min must not be more than max',
  })

function ruleNumber(policy: string, rule: string, fallback: number): number {
  return Number(policy.match(new RegExp(`${rule}:(\\d+)`))?.[1] ?? fallback)
}

/**
 * Every setting with its default; names are the operator's contract and do not change.
 * Durations carry their unit in the description.
 */
export const settings = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('`production` hides the outbox page and turns the demo off'),
  PORT: count(8000, 0, 65535).describe('Port to listen on'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  REQUEST_TIMEOUT: count(30, 1, 600).describe(
    'Seconds in which the headers of a request, and then its body, have to arrive; uploads only have to make progress',
  ),
  APP_URL: url(['http:', 'https:'])
    .optional()
    .describe('Address of the user variant; `admin.` and `reseller.` in front of its host are the cockpits'),
  DATA_DIR: z.string().min(1).default('./data').describe('Folder for the embedded database, outbox, secrets'),
  DATABASE_URL: z
    .string()
    // a socket's address has no host, which makes it no URL in the strict sense
    .regex(/^postgres(ql)?:\/\//, 'must be an address that starts with postgres://')
    .optional()
    .describe('External PostgreSQL 15 or newer; absent: an embedded one in `DATA_DIR/postgres`'),
  DATABASE_POOL: count(20, 2, 500).describe('Connections of one server process'),
  SMTP_URL: url(['smtp:', 'smtps:'])
    .optional()
    .describe('Mail server; absent: mails are written to `DATA_DIR/outbox`'),
  TRUSTED_PROXIES: networks
    .default([])
    .describe('Addresses or networks of reverse proxies whose `CLIENT_IP_HEADER` counts'),
  CLIENT_IP_HEADER: headerName
    .default(chainHeader)
    .describe(
      'The only header that names the client: `x-forwarded-for`, or one that holds a single address and that the proxy sets itself, such as `x-real-ip` or `cf-connecting-ip`',
    ),
  SUPPORT_EMAIL: z.email().optional().describe('Where support requests go; absent: the form is not offered'),
  DEMO: yesOrNo
    .optional()
    .describe('Load the demo tenant; absent: with the embedded database outside production'),
  SECRET_KEY: z
    .string()
    .min(shortestSecret)
    .optional()
    .describe(
      'Master secret, at least 32 characters; a new one in front of the old one, separated by a comma, while it is changed; needed in production with `DATABASE_URL`; absent: made once in `DATA_DIR/secrets`',
    ),
  DRAIN_SECONDS: wholeNumber(0, 600)
    .optional()
    .describe(
      'Seconds that a stopping server goes on answering while readiness is down, so that a load balancer notices; absent: 10 in production, else 0',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Log level'),
  METRICS_ALLOW: networks
    .default(['127.0.0.1', '::1'])
    .describe('Addresses or networks that may read `/api/webhooks/metrics`'),
  APP_NAME: z.string().min(1).default('Gatehouse').describe('Name of the product on pages and in mails'),
  APP_THEME: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('default')
    .describe('Folder below `themes/`'),
  APP_LOCALES: list
    .pipe(z.array(z.enum(languages)).min(1))
    .default([...languages])
    .describe('Languages on offer'),
  APP_LOCALE: z.enum(languages).default('en').describe('Language when the browser asks for none of them'),
  APP_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('CHF')
    .describe('Currency of wallets and prices'),
  CATALOGUE_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('SKUs, packages and plans of the first start; absent: the file that comes with the product'),
  PAYMENT_PROVIDER: z
    .enum(['sandbox', 'stripe', 'mollie'])
    .optional()
    .describe(
      'Who takes payments; `sandbox` moves no money; absent: `sandbox`, in production nobody, and payments are not offered',
    ),
  PAYMENT_METHODS_ONEOFF: methods
    .default(['creditcard', 'paypal', 'banktransfer', 'bitcoin'])
    .describe('Methods of payment on offer, in their order, as far as the provider has them'),
  PAYMENT_METHODS_RECURRING: methods.default(['creditcard']).describe('The same for automatic payments'),
  PAYMENT_MAX_AMOUNT: count(1_000_000, 100, 99_999_999).describe('Most that one payment brings, cents'),
  EXCHANGE_RATE_DAYS: count(7, 1, 365).describe(
    'Days that an exchange rate may be old; without one, methods in other currencies are not offered',
  ),
  EXCHANGE_RATES: z
    .string()
    .optional()
    .describe(
      'File or `https://` address from which exchange rates are renewed every morning, in the form of `exchange:import`; absent: they are imported by hand',
    ),
  ...paymentSettings,
  ...countrySettings,
  ...companionSettings,
  ...identitySettings,
  ...serviceSettings,
  ...mailAuthSettings,
  ...discoverySettings,
  APP_WEBMAIL_URL: z.string().min(1).optional().describe('Address of the webmail; absent: no link'),
  COMPANION_DOWNLOAD_LINK: url(['http:', 'https:']).optional().describe('Where the companion app is found'),
  COMPANY_COPYRIGHT: z.string().default('Gatehouse').describe('Name in the footer'),
  COMPANY_FOOTER: z.string().optional().describe('Company line in the footer and in mails'),
  COMPANY_NAME: z.string().optional().describe('Who issues receipts; absent: `APP_NAME`'),
  COMPANY_ADDRESS: z.string().optional().describe('Postal address on receipts; `|` between its lines'),
  COMPANY_DETAILS: z
    .string()
    .optional()
    .describe('What the law wants on receipts, as VAT number and register; `|` between lines'),
  COMPANY_EMAIL: z.email().optional().describe('Address for questions about receipts'),
  VAT_MODE: z
    .enum(['0', '1'])
    .default('0')
    .describe('`0`: amounts that people pay contain VAT; `1`: it comes on top of them'),
  MAIL_FROM_ADDRESS: z
    .email()
    .optional()
    .describe('Sender of mails; absent: `noreply@` the host of `APP_URL`'),
  MAIL_FROM_NAME: z.string().optional().describe('Sender name; absent: `APP_NAME`'),
  MAIL_REPLYTO_ADDRESS: z.email().optional().describe('Reply address of mails'),
  PASSWORD_POLICY: passwordPolicy
    .default('min:6,max:255')
    .describe('System password policy, a floor for all'),
  OAUTH_TOKEN_EXPIRY: count(60, 1, 1440).describe('Life of an access token in minutes'),
  OAUTH_REFRESH_TOKEN_EXPIRY: count(43_200, 10, 525_600).describe('Life of a refresh token in minutes'),
  ...oauthSettings,
  ...fileSettings,
  ...meetSettings,
  SIGNUP_CODE_EXPIRY: count(24, 1, 240).describe('Life of a sign-up code in hours'),
  SIGNUP_LIMIT_EMAIL: count(0, 0, 1000).describe('Open sign-up codes for one address, 0 = no limit'),
  SIGNUP_LIMIT_IP: count(0, 0, 10_000).describe('Open sign-up codes from one network address, 0 = no limit'),
  VERIFICATION_CODE_EXPIRY: count(8, 1, 240).describe('Life of a password reset code in hours'),
  RETENTION_DAYS: count(30, 0, 3650).describe(
    'Days that what was deleted can be restored, and that its names and addresses stay taken; addresses in public domains do for ever',
  ),
  DNS_SERVERS: nameServers
    .default([])
    .describe(
      'Name servers to ask about domains, each `address` or `address:port`; absent: those of the system',
    ),
  DNS_TIMEOUT: count(2000, 50, 30_000).describe('Milliseconds that a name server gets for an answer'),
  RESERVED_DOMAINS: hostNames
    .optional()
    .describe(
      'Domains that nobody may bring, with everything below them; absent: names for special use, in production `test` and `example` too',
    ),
  MAIL_MX: mailServers
    .optional()
    .describe('Mail servers of hosted domains, each `host:priority`; absent: `mx.` the host of `APP_URL`'),
  MAIL_SPF: z
    .string()
    .regex(
      /^(include|redirect|a|mx|ip4|ip6|exists)\b[^\s"]*$/i,
      'must be one SPF term such as include:spf.example.org',
    )
    .optional()
    .describe('SPF term that hosted domains need; absent: `include:spf.` the host of `APP_URL`'),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, 'must be one label of a host name')
    .default('gatehouse')
    .describe('Name of the DKIM key of hosted domains'),
  MAIL_DKIM: z
    .string()
    .regex(
      /^(v=DKIM1\s*;[ -~]+|[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?)$/i,
      'must be a host name or begin with v=DKIM1;',
    )
    .optional()
    .describe(
      'DKIM key of hosted domains: a `v=DKIM1;…` text, or the host name that has it; absent: selector`._domainkey.` the host of `APP_URL`',
    ),
  MAIL_DMARC: z
    .string()
    .regex(/^v=DMARC1\s*;\s*p=(none|quarantine|reject)\b[ -~]*$/i, 'must begin with v=DMARC1; p=')
    .default('v=DMARC1; p=quarantine')
    .describe('DMARC policy that hosted domains are advised to publish'),
  MAIL_AUTOCONFIG_HOST: hostName
    .optional()
    .describe('Host that serves autoconfig to mail programs; absent: `autoconfig.` the host of `APP_URL`'),
  MAIL_AUTODISCOVER_HOST: hostName
    .optional()
    .describe('Host that serves autodiscover; absent: `autodiscover.` the host of `APP_URL`'),
  APP_LDAP: flag(false).describe('A directory server is provisioned'),
  APP_WITH_SIGNUP: flag(true).describe('Sign-up is open'),
  APP_WITH_WALLET: flag(true).describe('Wallets are shown'),
  APP_WITH_SUBSCRIPTIONS: flag(true).describe('Subscriptions can be changed'),
  APP_WITH_DELEGATION: flag(true).describe('Delegation is offered'),
  APP_WITH_DISTLISTS: flag(true).describe('Distribution lists are offered'),
  APP_WITH_SHARED_FOLDERS: flag(true).describe('Shared folders are offered'),
  APP_WITH_GROUPWARE_FOLDERS: flag(true).describe(
    'Shared folders may hold events, contacts, tasks, notes and files beside mail',
  ),
  APP_WITH_RESOURCES: flag(true).describe('Resources are offered'),
  APP_WITH_MEET: flag(true).describe('Meeting rooms are offered'),
  APP_WITH_FILES: flag(true).describe('Files are offered'),
  APP_WITH_COMPANION_APP: flag(true).describe('Companion devices are offered'),
  APP_WITH_MAILFILTER: flag(true).describe('The mail filter is offered'),
  APP_WITH_LOGINAS: flag(false).describe('Owners, and staff in a user’s name, may open the webmail of users'),
  APP_TENANT_ID: count(0, 0, 1_000_000_000).describe(
    'The tenant whose plans, domains and invitations sign-up offers here; 0: the service itself',
  ),
  PRICE_NOTICE_DAYS: count(30, 0, 365).describe(
    'Days between the mail about a higher price and the day from which existing subscriptions pay it',
  ),
  STAFF_ACCESS: flag(true).describe(
    'Staff may sign in as customers and change what protects their sign-in, unless the account says otherwise',
  ),
  ONE_OFF_LIMIT: count(100_000, 0, 1_000_000_000).describe(
    'Cents that one member of staff may award or take within a day, all wallets together; more waits for a second one; 0: any amount',
  ),
})

export type Settings = z.infer<typeof settings>

/** What the DNS of a hosted domain is to say, so that its mail works. */
export interface MailSetup {
  readonly mx: readonly { readonly host: string; readonly priority: number }[]
  /** One term of an SPF record. */
  readonly spf: string
  readonly dkimSelector: string
  /** A host name, or a text that begins with `v=DKIM1`. */
  readonly dkim: string
  readonly dmarc: string
  readonly autoconfig: string
  readonly autodiscover: string
}

export type Config = Settings & {
  readonly APP_URL: string
  /** Host name of `APP_URL`: the domain of the three variants. */
  readonly domain: string
  readonly dataDir: string
  readonly demo: boolean
  /** Seconds that a stopping server goes on answering. */
  readonly drainSeconds: number
  readonly production: boolean
  /** Mails can be read at `/dev/outbox`: they are files, and the portal is this machine's alone. */
  readonly hasOutbox: boolean
  /** Who takes payments; undefined: nobody does. */
  readonly paymentProvider: Settings['PAYMENT_PROVIDER']
  readonly mailFrom: { address: string; name: string }
  readonly mailSetup: MailSetup
  /** Domains that nobody may bring, with everything below them. */
  readonly reservedDomains: readonly string[]
  readonly locales: readonly Language[]
  /** Day of the build, `YYYY-MM-DD`. */
  readonly build: string
}

/** The environment of a process, or what stands for it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The settings that an environment has, without blanks around them. Empty values count as absent. */
export function givenSettings(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => {
      const value = env[name]?.trim()
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}

/** Reads and validates the settings. Throws ConfigError naming each wrong one. */
export function loadConfig(env: Environment, folder = process.cwd()): Config {
  const given = givenSettings(env)
  const secret = secretProblem(given)
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
    throw new ConfigError(secret === undefined ? lines : [...lines, secret])
  }
  const value = parsed.data
  const problems = [secret, ...contradictions(value)].filter((problem) => problem !== undefined)
  if (problems.length > 0) throw new ConfigError(problems)
  const appUrl = (value.APP_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, '')
  const domain = new URL(appUrl).hostname
  const production = value.NODE_ENV === 'production'
  return {
    ...value,
    APP_URL: appUrl,
    domain,
    dataDir: isAbsolute(value.DATA_DIR) ? value.DATA_DIR : resolve(folder, value.DATA_DIR),
    demo: value.DEMO ?? (!production && value.DATABASE_URL === undefined),
    drainSeconds: value.DRAIN_SECONDS ?? (production ? 10 : 0),
    production,
    hasOutbox: !production && value.SMTP_URL === undefined && isLoopbackHost(domain),
    paymentProvider: value.PAYMENT_PROVIDER ?? (production ? undefined : 'sandbox'),
    mailFrom: {
      address: value.MAIL_FROM_ADDRESS ?? `noreply@${domain}`,
      name: value.MAIL_FROM_NAME ?? value.APP_NAME,
    },
    mailSetup: mailSetup(value, domain),
    reservedDomains: reservedDomains(value, production),
    locales: value.APP_LOCALES,
    build: env.GATEHOUSE_BUILD ?? 'development',
  }
}

/** Each process would make a secret of its own, and none could read what another one sealed. */
function secretProblem({ NODE_ENV, DATABASE_URL, SECRET_KEY }: Readonly<Record<string, string>>) {
  if (NODE_ENV !== 'production' || DATABASE_URL === undefined || SECRET_KEY !== undefined) return undefined
  return 'SECRET_KEY: production with DATABASE_URL needs it, the same in each process; if the installation has run without it, its secret is in DATA_DIR/secrets/master'
}

/** What the settings say against each other. */
function contradictions(value: Settings): (string | undefined)[] {
  return [
    value.APP_LOCALES.includes(value.APP_LOCALE)
      ? undefined
      : `APP_LOCALE: ${value.APP_LOCALE} is not in APP_LOCALES`,
    paymentSettingsProblem(value),
    countrySettingsProblem(value),
    oauthSettingsProblem(value),
    serviceSettingsProblem(value),
    discoverySettingsProblem(value),
    fileSettingsProblem(value),
    meetSettingsProblem(value),
  ]
}

function mailSetup(value: Settings, domain: string): MailSetup {
  const selector = value.MAIL_DKIM_SELECTOR.toLowerCase()
  return {
    mx: value.MAIL_MX ?? [{ host: `mx.${domain}`, priority: 10 }],
    spf: value.MAIL_SPF ?? `include:spf.${domain}`,
    dkimSelector: selector,
    dkim: value.MAIL_DKIM ?? `${selector}._domainkey.${domain}`,
    dmarc: value.MAIL_DMARC,
    autoconfig: (value.MAIL_AUTOCONFIG_HOST ?? `autoconfig.${domain}`).toLowerCase(),
    autodiscover: (value.MAIL_AUTODISCOVER_HOST ?? `autodiscover.${domain}`).toLowerCase(),
  }
}

/** Names that mean nothing outside a network, or that nobody can own (RFC 6761 and its successors). */
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
/** For documentation and tests: a demo and a test run bring them, a real installation must not. */
const forTrials = ['test', 'example', 'example.com', 'example.net', 'example.org']

function reservedDomains(value: Settings, production: boolean): string[] {
  const reserved = value.RESERVED_DOMAINS ?? [...specialUse, ...(production ? forTrials : [])]
  return reserved.map((name) => name.toLowerCase())
}
