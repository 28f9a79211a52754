import { senderAddress } from '../list-access/sender-address.ts'
import { isAuthenticated, type SenderAuthentication } from '../list-access/sender-authentication.ts'
import type { GreylistSettings, Learned } from './greylist-facts.ts'
import { needsRefresh } from './greylist-history.ts'

/** A message that was accepted, and what is known of its sender's domain. */
export interface OneTimeCodeFacts {
  /** Seconds since 1970. */
  readonly time: number
  /** Address of the envelope. */
  readonly sender: string
  /** Decoded. */
  readonly subject: string
  readonly authentication: SenderAuthentication | null
  readonly known: Learned | null
}

/**
 * Returns the record to write for the sender's domain, which skips greylisting next time; null: nothing to write. Only
 * messages with aligned SPF or DKIM count, because anyone can write a subject.
 */
export function learnOneTimeCodes(
  facts: OneTimeCodeFacts,
  settings: Pick<GreylistSettings, 'memory' | 'refresh'>,
): (Learned & { readonly domain: string }) | null {
  const { time, authentication, known } = facts
  const domain = senderAddress(facts.sender)?.domain
  const isOutside = authentication?.method !== 'sasl' && authentication?.method !== 'local'
  if (domain === undefined || !isOutside || !isAuthenticated(domain, authentication)) return null
  if (!looksLikeOneTimeCode(facts.subject)) return null
  if (known === null || time - known.lastSeen > settings.memory)
    return { domain, since: time, lastSeen: time }
  if (!needsRefresh(known.lastSeen, time, settings)) return null
  return { domain, since: Math.min(known.since, time), lastSeen: time }
}

/** Characters of a subject that are looked at. */
const longest = 300

/**
 * Whether a subject announces a one-time code, in English, German, French or Italian: by a phrase for it, or by a code of 4
 * to 8 digits beside a word such as "code" or "TAN" and no word for other numbers (vouchers, orders, postcodes).
 */
export function looksLikeOneTimeCode(subject: string): boolean {
  const text = subject.slice(0, longest).normalize('NFKC').replaceAll('’', "'")
  if (phrase.test(text)) return true
  if (otherNumber.test(text)) return false
  const hasCode = code.test(text) && !(year.test(text) && !code.test(text.replace(year, '')))
  return hasCode && codeWord.test(text)
}

/** Whole words, in any case. */
function words(alternatives: readonly string[], flags = 'iu'): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, flags)
}

const phrase = words([
  // English
  '(?:verification|security|log-?in|sign-?in|authentication|authorization|two-factor|2-step|2fa) (?:pass)?codes?',
  '(?:one-time|single-use) (?:pass)?(?:code|word|pin)s?',
  'passcodes?',
  'otp(?:[- ]code)?',
  // German
  '(?:bestätigungs|sicherheits|verifizierungs|verifikations|anmelde|authentifizierungs|einmal|freigabe)-?code',
  'login-?code',
  'einmal-?(?:passwort|kennwort|pin)',
  '(?:sms-|m)tan',
  // French
  "codes? (?:de |d')(?:vérification|sécurité|connexion|authentification|validation)",
  '(?:code|mot de passe) à usage unique',
  // Italian
  'codic[ei] (?:di )?(?:verifica|sicurezza|autenticazione|accesso|monouso|otp)',
  'password (?:monouso|usa e getta)',
])

const codeWord = words([
  '(?:[\\p{L}]+-?)?codes?',
  'codic[ei]',
  '[Tt]an',
  'TAN',
  'pin',
  'vérification',
  'verifica',
  'verification',
])

/** 123456, 123 456, 123-456, 1234 5678, G-123456: not in a date, an amount, a longer number or behind `#`. */
const code =
  /(?<![\p{L}\p{N}#.,/'_-]|[€$£]\s?|\b(?:CHF|EUR|USD|GBP)\s)(?:\p{Lu}-)?(?:\d{4,8}|\d{3}[ -]\d{3}|\d{4}[ -]\d{4})(?![\p{L}\p{N}]|[.,:/'_-]\d|\s?(?:[€$£%]|CHF|EUR|USD|GBP))/u

const year = /(?<!\p{N})(?:19|20)\d{2}(?!\p{N})/u

const otherNumber = new RegExp(
  [
    '(?:promo|discount|coupon|voucher|gift|referral|zip|post|error|source|bar|qr|area|country|dress)[ -]?code',
    'code (?:review|of conduct|promo|postal|cadeau|barres?|source|erreur|de réduction)',
    '(?:gutschein|rabatt|(?<!trans)aktions|geschenk|fehler|quell|strich|postleit)',
    'codice (?:sconto|promo|postale|fiscale|errore|regalo|sorgente|ordine)',
    '(?:order|invoice|ticket|tracking|parcel|bestell|rechnung|sendung|paket)',
    '(?:commande|facture|colis|remise|ordine|fattura|pacco|spedizione)',
    '% (?:off|rabatt|de remise|di sconto)',
  ].join('|'),
  'iu',
)
