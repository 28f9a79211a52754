import { insertClient } from '../../oauth/clients/client-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { demoClient } from './demo-data.ts'

/** Adds an application for trying out consent. */
export async function makeDemoClient(trx: Db, clock: Clock): Promise<void> {
  await insertClient(trx, clock, {
    ...{ id: demoClient.id, name: demoClient.name, secretHash: null, id_token_alg: 'RS256' },
    require_pkce: true,
    redirect_uris: demoClient.redirectUris,
    post_logout_redirect_uris: demoClient.postLogoutRedirectUris,
    scopes: ['openid', 'email', 'profile', 'offline_access', 'api', 'fs'],
    grants: ['authorization_code', 'refresh_token', 'device_code'],
  })
}
