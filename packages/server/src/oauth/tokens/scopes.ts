import { type ClientScope, clientScopes } from '@gatehouse/contract/sessions/oauth'
import type { MessageKey } from '../../platform/i18n/translator.ts'

/** What each scope means, in words for the person who is asked; those without words open nothing. */
export const scopeTexts: Readonly<Partial<Record<ClientScope, MessageKey>>> = {
  email: 'oauth.claim.email',
  profile: 'oauth.claim.profile',
  offline_access: 'oauth.claim.offline_access',
  'auth.token': 'oauth.claim.auth.token',
  api: 'oauth.claim.api',
  fs: 'oauth.claim.fs',
  mfa: 'oauth.claim.mfa',
}

/** Scopes with which an application changes something, or reads mail, in the person's name. */
const writeScopes: ReadonlySet<string> = new Set<ClientScope>(['api', 'fs', 'mfa', 'auth.token'])

/** Whether scopes are more than facts about the person, so that a consent to them needs a fresh proof of identity. */
export function grantWriting(scopes: readonly string[]): boolean {
  return scopes.some((scope) => writeScopes.has(scope))
}

/** Scopes of OpenID Connect that we have nothing for; Core 5.4 lets a provider ignore them. */
const emptyScopes = new Set(['address', 'phone'])

/** Scopes of a request that do not exist. */
export class UnknownScope extends Error {
  override name = 'UnknownScope'
}

/** Whether a word is one of ours. */
export function isClientScope(word: string): word is ClientScope {
  return (clientScopes as readonly string[]).includes(word)
}

/**
 * The scopes that a request gets: those that it names and the client may have, in our order, each once. Throws
 * UnknownScope for a word that is no scope. What a client may not have is dropped before anything is issued or shown.
 */
export function grantedScopes(requested: string, allowed: readonly string[]): ClientScope[] {
  const words = requested.split(' ').filter((word) => word !== '' && !emptyScopes.has(word))
  for (const word of words) {
    if (!isClientScope(word)) throw new UnknownScope(word)
  }
  return clientScopes.filter((scope) => words.includes(scope) && allowed.includes(scope))
}

/** The texts for a set of scopes, by scope. */
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
