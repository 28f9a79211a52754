import { z } from 'zod'
import { count, wholeNumber } from '../../platform/settings/setting-kinds.ts'

const host = z
  .string()
  .regex(/^([a-z0-9]([a-z0-9_.-]*[a-z0-9])?|[0-9a-f:.]+)$/i, 'must be a host name or a network address')

const optionalPort = wholeNumber(1, 65_535)

const port = (fallback: number) => optionalPort.default(fallback)

/** Where a mail proxy forwards users after sign-in; names as in the product that this one replaces. */
export const mailAuthSettings = {
  IMAP_HOST: host.default('127.0.0.1').describe('IMAP server behind the mail proxy'),
  IMAP_PORT: port(11_143).describe('Its port, without encryption'),
  IMAP_GUAM_PORT: port(9143).describe(
    'Port of the IMAP filter that hides groupware folders, for users who enabled it',
  ),
  POP3_PORT: optionalPort.optional().describe('POP3 port of `IMAP_HOST`. If not set: POP3 is not offered'),
  SMTP_HOST: host.default('127.0.0.1').describe('Submission server behind the mail proxy'),
  SMTP_PORT: port(10_587).describe('Its port, without encryption'),
  MAIL_CONFIRM_WAIT: count(45, 0, 120).describe(
    'Seconds for which a mail program waits for a companion device. Must be less than the timeout of the proxy',
  ),
  SASLAUTHD_SOCKET: z
    .string()
    .startsWith('/', 'must be an absolute path')
    .max(100, 'must have at most 100 characters')
    .optional()
    .describe(
      'Path of a socket on which the server speaks the saslauthd protocol, for Cyrus and Postfix on this machine. If not set: no socket is opened',
    ),
  MAIL_GATEWAY_CYRUS_PROC: z
    .string()
    .startsWith('/', 'must be an absolute path')
    .optional()
    .describe(
      'Folder `proc_path` of Cyrus on this host, such as /run/cyrus/proc. If set, the mail gateway ends open sessions when users are suspended, change their password or sign out everywhere, so it must run as root or as the user of Cyrus',
    ),
}

const parsedSettings = z.object(mailAuthSettings)

export type MailAuthSettings = z.infer<typeof parsedSettings>
