import type { ClientScope } from '@gatehouse/contract/sessions/oauth'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { OAuthSettings } from '../oauth-settings.ts'
import { hashClientSecret } from './client.ts'
import { deleteClient, insertClient, readBuiltIn, readClient, updateClient } from './client-store.ts'

export type BuiltInConfig = Pick<SiteConfig, 'APP_URL' | 'APP_WEBMAIL_URL'> &
  Pick<
    OAuthSettings,
    | 'PASSPORT_WEBMAIL_SSO_CLIENT_ID'
    | 'PASSPORT_WEBMAIL_SSO_CLIENT_SECRET'
    | 'PASSPORT_SYNAPSE_OAUTH_CLIENT_ID'
    | 'PASSPORT_SYNAPSE_OAUTH_CLIENT_SECRET'
  >

interface BuiltIn {
  readonly key: string
  readonly name: string
  readonly id: string | undefined
  readonly secret: string | undefined
  readonly redirectUri: string
  readonly scopes: readonly ClientScope[]
}

export const webmailClient = 'webmail'

/** Returns the clients of the product's own parts; reference api-auth §9.7. */
function builtIns(config: BuiltInConfig): readonly BuiltIn[] {
  return [
    {
      key: webmailClient,
      name: 'Webmail',
      id: config.PASSPORT_WEBMAIL_SSO_CLIENT_ID,
      secret: config.PASSPORT_WEBMAIL_SSO_CLIENT_SECRET,
      redirectUri: webmailAddress(config),
      scopes: ['openid', 'email', 'auth.token'],
    },
    {
      key: 'synapse',
      name: 'Matrix',
      id: config.PASSPORT_SYNAPSE_OAUTH_CLIENT_ID,
      secret: config.PASSPORT_SYNAPSE_OAUTH_CLIENT_SECRET,
      redirectUri: `${config.APP_URL}/_synapse/client/oidc/callback`,
      scopes: ['openid', 'email', 'profile'],
    },
  ]
}

/** Returns the webmail's redirect URI; its URL may be a path on the portal's host. */
function webmailAddress({ APP_URL: portal, APP_WEBMAIL_URL: webmail = '/' }: BuiltInConfig): string {
  const { href } = new URL(webmail, `${portal}/`)
  return `${href.replace(/\/*$/, '/')}index.php/login/oauth`
}

/**
 * Creates the clients configured in the settings, and updates their secrets and URLs if they differ. Other
 * changes by staff, including disabling, are kept.
 */
export async function ensureBuiltInClients(
  { db, clock, secrets }: { readonly db: Db; readonly clock: Clock; readonly secrets: Secrets },
  config: BuiltInConfig,
): Promise<void> {
  for (const { key, name, id, secret, redirectUri, scopes } of builtIns(config)) {
    if (id === undefined || secret === undefined) continue
    const secretHash = hashClientSecret(secrets, id, secret)
    const known = (await readBuiltIn(db, key)) ?? (await readClient(db, id))
    if (known !== undefined && known.id === id) {
      const isSame = known.secretHash?.equals(secretHash) === true && known.redirectUris[0] === redirectUri
      if (!isSame) {
        await updateClient(db, clock, id, { secretHash, redirect_uris: [redirectUri] })
      }
      continue
    }
    // a new id is a new client: everything issued to the previous one ends
    await db.transaction().execute(async (trx) => {
      if (known !== undefined) await deleteClient(trx, known.id)
      await insertClient(trx, clock, {
        ...{ id, secretHash, builtIn: key, name, scopes },
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [],
        grants: ['authorization_code', 'refresh_token'],
        id_token_alg: 'RS256',
        // some webmail versions don't support PKCE; staff can require it
        require_pkce: false,
      })
    })
  }
}
