import { join } from 'node:path'
import { cyrusPaths } from '../cyrus/cyrus-description.ts'
import { postfixPaths } from '../postfix/postfix-description.ts'
import { type SuitePlan, storeAdmin } from './suite-plan.ts'

/** Returns the portal's settings in a suite. What the operator has set in the environment takes precedence. */
export function portalSettings(plan: SuitePlan, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { internal, secrets, portalPort, portalUrl, webmailUrl, folder, hostname, shownHost } = plan
  const portOf = (endpoint: string) => endpoint.split(':')[1] ?? ''
  const settings = {
    PORT: String(portalPort),
    APP_URL: portalUrl,
    DEMO: '1',
    GROUPWARE_BACKEND: 'cyrus',
    CYRUS_IMAP: internal.storeImap,
    CYRUS_SIEVE: internal.storeSieve,
    CYRUS_DAV_URL: `http://${internal.storeHttp}`,
    CYRUS_ADMIN: storeAdmin,
    CYRUS_ADMIN_PASSWORD: secrets.storeAdmin,
    CYRUS_JWT_KEY_FILE: cyrusPaths(join(folder, 'cyrus')).tokenKey,
    APP_WITH_SERVICES: '1',
    APP_SERVICES_ALLOWED_DOMAINS: '127.0.0.1',
    SERVICES_SECRET: secrets.services,
    SASLAUTHD_SOCKET: plan.authSocket,
    IMAP_HOST: '127.0.0.1',
    IMAP_PORT: portOf(internal.storeImap),
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: portOf(internal.userMail),
    MAIL_GATEWAY: '1',
    MAIL_GATEWAY_POLICY: internal.policy,
    MAIL_GATEWAY_MILTER: internal.milter,
    MAIL_GATEWAY_SOCKETMAP: internal.socketmap,
    MAIL_GATEWAY_LMTP: internal.filter,
    MAIL_GATEWAY_LMTP_STORE: internal.lmtp,
    MAIL_GATEWAY_CYRUS_PROC: cyrusPaths(join(folder, 'cyrus')).sessions,
    MAIL_GATEWAY_LOG: postfixPaths(join(folder, 'postfix')).log,
    MAILFLOW_AUTHSERV_ID: hostname,
    // the demo's accounts can't pay, and would be held after ten messages in an hour
    RATELIMIT_USER_UNPAID: '300,1000,1500,5000',
    RATELIMIT_ACCOUNT_UNPAID: '1500,5000,10000,30000',
    APP_WEBMAIL_URL: webmailUrl,
    APP_WITH_LOGINAS: '1',
    PASSPORT_WEBMAIL_SSO_CLIENT_ID: secrets.webmailClientId,
    PASSPORT_WEBMAIL_SSO_CLIENT_SECRET: secrets.webmailClientSecret,
    APP_DISCOVERY_IMAP: `ssl://${shownHost}:${portOf(plan.public.imaps)}`,
    APP_DISCOVERY_SMTP: `ssl://${shownHost}:${portOf(plan.public.submissions)}`,
    APP_DISCOVERY_POP3: 'none',
    APP_DISCOVERY_ACTIVESYNC: 'none',
    APP_DISCOVERY_DAV: `https://${shownHost}:${portOf(plan.public.https)}/`,
  }
  return {
    ...settings,
    ...env,
    // a database and files of its own, which `reset` deletes together with the mail
    DATA_DIR: join(folder, 'portal'),
  }
}
