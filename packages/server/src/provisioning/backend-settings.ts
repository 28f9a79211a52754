import { z } from 'zod'
import { count, url } from '../platform/settings/setting-kinds.ts'

/** `host:port` or `[address]:port`. */
const server = z
  .string()
  .regex(/^(\[[0-9a-f:]+\]|[a-z0-9._-]+):\d{1,5}$/i, 'must be host:port, such as 127.0.0.1:143')

/** Settings of the groupware that stores the users' mail. */
export const backendSettings = {
  GROUPWARE_BACKEND: z
    .enum(['cyrus', 'null'])
    .default('null')
    .describe(
      'Where mailboxes, calendars and shared folders are created: `cyrus`, or `null` for nowhere. Production must name one',
    ),
  CYRUS_IMAP: server.default('127.0.0.1:143').describe('IMAP server of Cyrus, without encryption'),
  CYRUS_SIEVE: server.default('127.0.0.1:4190').describe('ManageSieve server of Cyrus'),
  CYRUS_DAV_URL: url(['http:', 'https:'])
    .default('http://127.0.0.1:8008')
    .describe('Address of calendars, contacts and files in Cyrus'),
  CYRUS_ADMIN: z
    .string()
    .min(1)
    .default('cyrus-admin')
    .describe('Administrator of Cyrus, named by `admins` and `proxyservers` in its configuration'),
  CYRUS_ADMIN_PASSWORD: z.string().min(1).optional().describe('Password of `CYRUS_ADMIN`'),
  CYRUS_JWT_KEY_FILE: z
    .string()
    .startsWith('/', 'must be an absolute path')
    .optional()
    .describe('Key file in the `http_jwt_key_dir` of Cyrus; the portal signs requests for users with it'),
  CYRUS_CONNECTIONS: count(8, 1, 100).describe('IMAP connections that each server opens at the same time'),
}

const parsedSettings = z.object(backendSettings)

export type BackendSettings = z.infer<typeof parsedSettings>

/** Returns what Cyrus lacks as `SETTING: sentence`. */
export function cyrusSettingsProblem(settings: BackendSettings): string | undefined {
  if (settings.GROUPWARE_BACKEND !== 'cyrus') return undefined
  const missing = (['CYRUS_ADMIN_PASSWORD', 'CYRUS_JWT_KEY_FILE'] as const).find(
    (name) => settings[name] === undefined,
  )
  return missing === undefined ? undefined : `${missing}: GROUPWARE_BACKEND=cyrus needs it`
}
