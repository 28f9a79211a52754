import { type Language, languages } from '@gatehouse/contract/language'
import { z } from 'zod'
import { chainHeader } from '../http/callers/client-address.ts'
import { shortestSecret } from '../installation-keys/master-secret.ts'
import { count, headerName, list, networks, url, wholeNumber, yesOrNo } from './setting-kinds.ts'

/** Settings of the installation itself: its processes, its name and its mail. */
export const siteSettings = {
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
  APP_WEBMAIL_URL: z.string().min(1).optional().describe('Address of the webmail; absent: no link'),
  COMPANY_COPYRIGHT: z.string().default('Gatehouse').describe('Name in the footer'),
  COMPANY_FOOTER: z.string().optional().describe('Company line in the footer and in mails'),
  MAIL_FROM_ADDRESS: z
    .email()
    .optional()
    .describe('Sender of mails; absent: `noreply@` the host of `APP_URL`'),
  MAIL_FROM_NAME: z.string().optional().describe('Sender name; absent: `APP_NAME`'),
  MAIL_REPLYTO_ADDRESS: z.email().optional().describe('Reply address of mails'),
  APP_TENANT_ID: count(0, 0, 1_000_000_000).describe(
    'The tenant whose plans, domains and invitations sign-up offers here; 0: the service itself',
  ),
}

const parsedSettings = z.object(siteSettings)

export type SiteSettings = z.infer<typeof parsedSettings>

/** What contradicts itself in the settings, as `SETTING: sentence`; undefined: nothing does. */
export function siteSettingsProblem({ APP_LOCALE, APP_LOCALES }: SiteSettings): string | undefined {
  return APP_LOCALES.includes(APP_LOCALE) ? undefined : `APP_LOCALE: ${APP_LOCALE} is not in APP_LOCALES`
}

/** The settings of the installation, with what follows from them. */
export type SiteConfig = Omit<SiteSettings, 'APP_URL'> & {
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
  readonly mailFrom: { address: string; name: string }
  readonly locales: readonly Language[]
  /** Day of the build, `YYYY-MM-DD`. */
  readonly build: string
}
