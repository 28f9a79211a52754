import { isLanguage, type Language, languageCookie } from '@gatehouse/contract/language'
import { parse } from 'cookie'
import Negotiator from 'negotiator'

/** The request headers that determine the language. */
export interface LanguageHeaders {
  cookieHeader?: string | undefined
  acceptLanguage?: string | undefined
}

/**
 * Returns the language of a response: the one chosen in the portal (cookie), else the first enabled one of the
 * browser, else the fallback. Regional variants count as their language.
 */
export function negotiateLanguage(
  { cookieHeader, acceptLanguage }: LanguageHeaders,
  enabled: readonly Language[],
  fallback: Language,
): Language {
  // Most requests have other cookies or none; a substring test avoids parsing them.
  if (cookieHeader?.includes(`${languageCookie.name}=`)) {
    const chosen = parse(cookieHeader)[languageCookie.name]
    if (isEnabled(chosen, enabled)) return chosen
  }
  if (acceptLanguage) {
    for (const tag of new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages()) {
      const primary = tag.split('-', 1)[0]?.toLowerCase()
      if (isEnabled(primary, enabled)) return primary
    }
  }
  return fallback
}

function isEnabled(value: unknown, enabled: readonly Language[]): value is Language {
  return isLanguage(value) && enabled.includes(value)
}
