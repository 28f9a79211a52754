import { type Language, languages } from '@gatehouse/contract/language'
import { z } from 'zod'
import { chainHeader } from '../http/callers/client-address.ts'
import { shortestSecret } from '../installation-keys/master-secret.ts'
import { count, headerName, list, networks, url, wholeNumber, yesOrNo } from './setting-kinds.ts'

/** Settings of the installation itself: processes, name and mail. */
export const siteSettings = {
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('`production` hides the outbox page and disables the demo'),
  PORT: count(8000, 0, 65535).describe('Port to listen on'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  REQUEST_TIMEOUT: count(30, 1, 600).describe(
    'Seconds within which the headers, and then the body, of a request must arrive. Uploads only have to make progress',
  ),
  APP_URL: url(['http:', 'https:'])
    .optional()
    .describe(
      'Address of the portal for users. The cockpits are at the same host with `admin.` and `reseller.` in front',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Folder for the embedded database, outbox and secrets'),
  DATABASE_URL: z
    .string()
    // a socket address has no host, so it isn't strictly a URL
    .regex(/^postgres(ql)?:\/\//, 'must be an address that starts with postgres://')
    .optional()
    .describe('External PostgreSQL 15 or newer. If not set: an embedded database in `DATA_DIR/postgres`'),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be an address that starts with postgres://')
    .optional()
    .describe(
      'Address of PostgreSQL itself if `DATABASE_URL` is that of a pooler such as PgBouncer. For the queue, notifications, migrations and backups',
    ),
  DATABASE_POOL: count(20, 2, 500).describe('Database connections of one server process'),
  SMTP_URL: url(['smtp:', 'smtps:'])
    .optional()
    .describe('Mail server. If not set: mails are written to `DATA_DIR/outbox`'),
  TRUSTED_PROXIES: networks
    .default([])
    .describe('Addresses or networks of reverse proxies whose `CLIENT_IP_HEADER` is trusted'),
  CLIENT_IP_HEADER: headerName
    .default(chainHeader)
    .describe(
      'Header from which the client address is read: `x-forwarded-for`, or a header with a single address that the proxy sets itself, such as `x-real-ip` or `cf-connecting-ip`',
    ),
  SUPPORT_EMAIL: z
    .email()
    .optional()
    .describe('Address that receives support requests. If not set: the contact form is not offered'),
  DEMO: yesOrNo
    .optional()
    .describe('Load the demo tenant. If not set: loaded with the embedded database, except in production'),
  SECRET_KEY: z
    .string()
    .min(shortestSecret)
    .optional()
    .describe(
      'Master secret, at least 32 characters. To change it, put the new secret first, then a comma and the old one. Required in production with `DATABASE_URL`. If not set: generated once in `DATA_DIR/secrets`',
    ),
  DRAIN_SECONDS: wholeNumber(0, 600)
    .optional()
    .describe(
      'Seconds for which a stopping server keeps answering after readiness fails, so that load balancers notice. If not set: 10 in production, otherwise 0',
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
    .describe('Theme: a folder in `themes/`'),
  APP_LOCALES: list
    .pipe(z.array(z.enum(languages)).min(1))
    .default([...languages])
    .describe('Languages offered'),
  APP_LOCALE: z.enum(languages).default('en').describe('Language if the browser requests none of them'),
  APP_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('CHF')
    .describe('Currency of wallets and prices'),
  APP_WEBMAIL_URL: z
    .string()
    .min(1)
    .optional()
    .describe('Address of the webmail. If not set: no link is shown'),
  COMPANY_COPYRIGHT: z.string().default('Gatehouse').describe('Name in the footer'),
  COMPANY_FOOTER: z.string().optional().describe('Company line in the footer and in mails'),
  MAIL_FROM_ADDRESS: z
    .email()
    .optional()
    .describe('Sender address of mails. If not set: `noreply@` the host of `APP_URL`'),
  MAIL_FROM_NAME: z.string().optional().describe('Sender name of mails. If not set: `APP_NAME`'),
  MAIL_REPLYTO_ADDRESS: z.email().optional().describe('Reply-to address of mails'),
  APP_TENANT_ID: count(0, 0, 1_000_000_000).describe(
    'Tenant whose plans, domains and invitations are offered at sign-up. 0: the service itself',
  ),
}

const parsedSettings = z.object(siteSettings)

export type SiteSettings = z.infer<typeof parsedSettings>

/** Returns a contradiction between settings as `SETTING: sentence`, or undefined. */
export function siteSettingsProblem(settings: SiteSettings): string | undefined {
  const { APP_LOCALE, APP_LOCALES, DATABASE_URL, DATABASE_DIRECT_URL } = settings
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined)
    return 'DATABASE_DIRECT_URL: only used beside DATABASE_URL'
  return APP_LOCALES.includes(APP_LOCALE) ? undefined : `APP_LOCALE: ${APP_LOCALE} is not in APP_LOCALES`
}

/** The installation's settings, with derived values. */
export type SiteConfig = Omit<SiteSettings, 'APP_URL'> & {
  readonly APP_URL: string
  /** Host name of `APP_URL`: the base domain of the three variants. */
  readonly domain: string
  readonly dataDir: string
  readonly demo: boolean
  /** Seconds that a stopping server keeps serving requests. */
  readonly drainSeconds: number
  readonly production: boolean
  /** Whether e-mails can be read at `/dev/outbox`: they are stored as files, and the portal is local only. */
  readonly hasOutbox: boolean
  readonly mailFrom: { address: string; name: string }
  readonly locales: readonly Language[]
  /** Build date, `YYYY-MM-DD`. */
  readonly build: string
}
