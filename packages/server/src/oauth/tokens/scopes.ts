import { type ClientScope, clientScopes } from '@gatehouse/contract/sessions/oauth'
import type { MessageKey } from '../../platform/i18n/translator.ts'

/** Descriptions of scopes for the consent screen; scopes without one grant nothing. */
export const scopeTexts: Readonly<Partial<Record<ClientScope, MessageKey>>> = {
  email: 'oauth.claim.email',
  profile: 'oauth.claim.profile',
  offline_access: 'oauth.claim.offline_access',
  'auth.token': 'oauth.claim.auth.token',
  api: 'oauth.claim.api',
  fs: 'oauth.claim.fs',
  mfa: 'oauth.claim.mfa',
}

/** Scopes that let an application make changes, or read mail, on the user's behalf. */
const writeScopes: ReadonlySet<string> = new Set<ClientScope>(['api', 'fs', 'mfa', 'auth.token'])

/** Returns whether scopes go beyond facts about the user, so that consenting requires re-authentication. */
export function grantWriting(scopes: readonly string[]): boolean {
  return scopes.some((scope) => writeScopes.has(scope))
}

/** OpenID Connect scopes for which we have no claims; Core 5.4 lets a provider ignore them. */
const emptyScopes = new Set(['address', 'phone'])

/** The request contains an unknown scope. */
export class UnknownScope extends Error {
  override name = 'UnknownScope'
}

/** Returns whether a word is one of our scopes. */
export function isClientScope(word: string): word is ClientScope {
  return (clientScopes as readonly string[]).includes(word)
}

/**
 * Returns the scopes granted to a request: those it names and the client may have, in canonical order without
 * duplicates. Throws UnknownScope for an unknown word. Disallowed scopes are dropped before anything is issued
 * or shown.
 */
export function grantedScopes(requested: string, allowed: readonly string[]): ClientScope[] {
  const words = requested.split(' ').filter((word) => word !== '' && !emptyScopes.has(word))
  for (const word of words) {
    if (!isClientScope(word)) throw new UnknownScope(word)
  }
  return clientScopes.filter((scope) => words.includes(scope) && allowed.includes(scope))
}

/** Returns the descriptions of scopes. */
export function claimTexts(
  scopes: readonly string[],
  t: (key: MessageKey) => string,
): Record<string, string> {
  const entries = clientScopes.flatMap((scope): [string, string][] => {
    const key = scopes.includes(scope) ? scopeTexts[scope] : undefined
    return key === undefined ? [] : [[scope, t(key)]]
  })
  return Object.fromEntries(entries)
}
