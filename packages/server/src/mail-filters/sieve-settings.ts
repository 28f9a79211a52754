import { z } from 'zod'
import { readMailServer } from '../platform/mailer/mail-servers.ts'
import type { SieveAccess } from './managesieve/session.ts'

/** The server that runs the filters of users. */
export const sieveSettings = {
  SIEVE_SERVER: z
    .string()
    .refine((text) => readMailServer(text) !== undefined, {
      error: 'must be a server such as tls://imap.example.org:4190, with ssl, tls or plain in front',
    })
    .optional()
    .describe(
      'ManageSieve server: `ssl://`, `tls://` (STARTTLS) or `plain://`, host, port. If not set: mail filters and automatic replies are not offered',
    ),
  SIEVE_ADMIN: z
    .string()
    .default('cyrus-admin')
    .describe('Account that may store scripts for users (Cyrus: one of `proxyservers`)'),
  SIEVE_PASSWORD: z.string().optional().describe('Password of `SIEVE_ADMIN`'),
}

const parsedSettings = z.object(sieveSettings)

export type SieveSettings = z.infer<typeof parsedSettings>

/** Returns what is wrong with the settings as `SETTING: sentence`. */
export function sieveSettingsProblem({ SIEVE_SERVER, SIEVE_PASSWORD }: SieveSettings): string | undefined {
  return SIEVE_SERVER !== undefined && SIEVE_PASSWORD === undefined
    ? 'SIEVE_PASSWORD: is required with SIEVE_SERVER'
    : undefined
}

/** Returns how to reach the server; undefined if none is connected. */
export function sieveAccess(config: SieveSettings): SieveAccess | undefined {
  const { SIEVE_SERVER: text, SIEVE_ADMIN: name, SIEVE_PASSWORD: password } = config
  const server = text === undefined ? undefined : readMailServer(text)
  return server === undefined || password === undefined ? undefined : { server, name, password }
}
