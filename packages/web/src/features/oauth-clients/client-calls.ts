import type { OAuthClient } from '@gatehouse/contract/sessions/oauth'
import type { QueryClient } from '@tanstack/react-query'
import type { MessageKey } from '../../i18n/areas.ts'

type Scope = OAuthClient['scopes'][number]
type Grant = OAuthClient['grants'][number]

/** Scopes of an application with their labels. */
export const scopeWords: readonly (readonly [Scope, MessageKey])[] = [
  ['openid', 'words.logIn'],
  ['email', 'clients.scopeEmail'],
  ['profile', 'clients.scopeProfile'],
  ['offline_access', 'clients.scopeOffline'],
  ['api', 'clients.scopeApi'],
  ['fs', 'words.files'],
  ['mfa', 'clients.scopeMfa'],
  ['auth.token', 'clients.scopeMail'],
]

/** Grant types with their labels. */
export const grantWords: readonly (readonly [Grant, MessageKey])[] = [
  ['authorization_code', 'clients.grantCode'],
  ['refresh_token', 'clients.grantRefresh'],
  ['device_code', 'clients.grantDevice'],
]

/** Invalidates cached applications. */
export async function forgetClients(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['GET /api/v4/oauth/clients'] })
  await client.invalidateQueries({ queryKey: ['GET /api/v4/oauth/clients/{id}'] })
}
