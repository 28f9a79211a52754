import type { BillingConfig } from '../billing/billing-settings.ts'
import type { Ground } from '../platform/ground.ts'
import type { ServiceSettings } from '../platform/http/callers/service-settings.ts'
import type { DeletedMailStore } from '../provisioning/deleted-mail.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { serveCardDav } from './address-book/carddav/routes.ts'
import { serveAddressSearch } from './address-book/routes.ts'
import { PurgeAppPasswords } from './app-passwords/app-passwords.ts'
import { serveAppPasswords } from './app-passwords/routes.ts'
import { AppPasswordHasher } from './app-passwords/secret.ts'
import { serveDeletedMail } from './deleted-mail/routes.ts'
import { serveDeviceSetup } from './discovery/device-setup-routes.ts'
import type { DiscoverySettings } from './discovery/discovery-settings.ts'
import { serveDiscovery } from './discovery/routes.ts'
import { OpenSessions } from './open-sessions/open-sessions.ts'
import { mountMailAuth } from './sign-in/compose-mail-auth.ts'
import type { MailAuthSettings } from './sign-in/mail-auth-settings.ts'
import type { MailTokens } from './sign-in/mail-sign-in.ts'
import { PurgePasses } from './sign-in/purge-passes.ts'

type Config = IdentityConfig & BillingConfig & ServiceSettings & MailAuthSettings & DiscoverySettings

/**
 * Adds sign-in of mail clients, discovery of their settings, app passwords, restoring deleted mail, and the account's address
 * book.
 */
export function addMailAccess(
  ground: Ground<Config>,
  identity: Identity,
  {
    tokens,
    deletedMail,
  }: { readonly tokens: MailTokens; readonly deletedMail: DeletedMailStore | undefined },
) {
  const { api, db, clock, purge, secrets } = ground
  const appPasswords = new AppPasswordHasher(secrets)
  serveAppPasswords(api, { ...ground, ...identity, hasher: appPasswords })
  const { saslauthd, ...auth } = mountMailAuth({ ...ground, ...identity, appPasswords, tokens })
  serveAddressSearch(api, { ...ground, ...identity })
  serveCardDav({ ...ground, ...auth })
  serveDeletedMail(api, { ...ground, ...identity, deletedMail })
  serveDiscovery(ground)
  serveDeviceSetup(api, ground)
  purge.add(new PurgeAppPasswords(db, clock), new PurgePasses(db, clock))
  const folder = ground.config.MAIL_GATEWAY_CYRUS_PROC
  return { saslauthd, openSessions: folder === undefined ? undefined : new OpenSessions(folder, ground) }
}
