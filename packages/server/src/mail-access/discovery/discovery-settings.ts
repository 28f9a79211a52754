import { z } from 'zod'
import { readMailServer } from '../../platform/mailer/mail-servers.ts'
import { count } from '../../platform/settings/setting-kinds.ts'

const server = z.string().refine((text) => readMailServer(text) !== undefined, {
  error: 'must be a server such as ssl://imap.example.org:993, with ssl, tls or plain in front',
})

const none = z.literal('none')

/** Server settings announced to mail clients; names as in the product that this one replaces. */
export const discoverySettings = {
  APP_NAME_SHORT: z
    .string()
    .optional()
    .describe('Short name of the product in mail programs. If not set: `APP_NAME`'),
  APP_DISCOVERY_IMAP: server
    .default('ssl://imap.%h:993')
    .describe(
      'IMAP server announced to mail programs: `ssl://`, `tls://` (STARTTLS) or `plain://`, host, port. `%h` is the host of `APP_URL`, `%d` the domain of the address',
    ),
  APP_DISCOVERY_POP3: none
    .or(server)
    .default('ssl://pop3.%h:995')
    .describe('The same for POP3. `none`: not offered'),
  APP_DISCOVERY_SMTP: server.default('ssl://smtp.%h:465').describe('The same for sending'),
  APP_DISCOVERY_ACTIVESYNC: none
    .or(
      z
        .string()
        .regex(
          /^(https:\/\/)?[a-z0-9%.-]+(:\d{1,5})?(\/[\w./-]*)?$/i,
          'must be a host or an address with https://',
        ),
    )
    .default('activesync.%h')
    .describe('Host or address of ActiveSync. `none`: not offered'),
  APP_DISCOVERY_DAV: z
    .string()
    .regex(
      /^https?:\/\/[a-z0-9%.-]+(:\d{1,5})?(\/[\w%./-]*)?$/i,
      'must be an address that starts with https://',
    )
    .optional()
    .describe(
      'Address to which `/.well-known/caldav` and `/.well-known/carddav` redirect. If not set: they are not served',
    ),
  APPLE_PROFILE_CERTIFICATE: z
    .string()
    .startsWith('/', 'must be an absolute path')
    .optional()
    .describe(
      'PEM file with a private key and its certificate chain, which signs configuration profiles for Apple devices. If not set: profiles are not signed',
    ),
  MTA_STS: z
    .string()
    .optional()
    .describe(
      'Complete policy served at `/.well-known/mta-sts.txt`, lines separated by `|`. If not set: the policy is generated',
    ),
  MTA_STS_MODE: z
    .enum(['none', 'testing', 'enforce'])
    .default('enforce')
    .describe('Mode of the generated policy. Its servers are those of `MAIL_MX`'),
  MTA_STS_MAX_AGE: count(604_800, 3600, 31_557_600).describe('Seconds for which senders cache the policy'),
}

const parsedSettings = z.object(discoverySettings)

export type DiscoverySettings = z.infer<typeof parsedSettings>

/** Returns what is wrong with the policy as `SETTING: sentence`; undefined if it is valid (RFC 8461 §3.2). */
export function discoverySettingsProblem({ MTA_STS }: DiscoverySettings): string | undefined {
  if (MTA_STS === undefined) return undefined
  const lines = MTA_STS.split(/[|\r\n]+/).map((line) => line.trim())
  const value = (key: string) =>
    lines
      .find((line) => line.startsWith(`${key}:`))
      ?.slice(key.length + 1)
      .trim()
  const isWhole =
    value('version') === 'STSv1' &&
    /^(none|testing|enforce)$/.test(value('mode') ?? '') &&
    /^\d{1,10}$/.test(value('max_age') ?? '') &&
    (value('mode') === 'none' || (value('mx') ?? '') !== '')
  return isWhole
    ? undefined
    : 'MTA_STS: must have version: STSv1, a mode, max_age and, unless the mode is none, mx'
}
