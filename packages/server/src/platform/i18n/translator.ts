import { type Language, languages, locales } from '@gatehouse/contract/language'
import { type Messages, setupI18n } from '@lingui/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { catalogues, type MessageKey } from './catalogues.ts'
import { longDay, longMoment } from './dates.ts'

export type { MessageKey } from './catalogues.ts'

/** Parameters of a text; a date is formatted in words, UTC. */
export type MessageParams = Readonly<Record<string, string | number | Date | Day>>

/** A calendar day, formatted by language. A plain `Date` includes the time. */
export interface Day {
  readonly day: Date
}

/** Returns the text of a key in one language. The result is plain text: escape it for HTML. */
export interface Translate {
  (key: MessageKey, params?: MessageParams): string
  /** Language of the returned texts. */
  readonly language: Language
}

const translators = new Map<Language, Translate>()

/** Returns the translator of a language. Texts are compiled on first use and cached. */
export function createTranslator(language: Language): Translate {
  const known = translators.get(language)
  if (known) return known
  const translate = buildTranslator(language)
  translators.set(language, translate)
  return translate
}

/** Compiles every language at startup, so that no request has to wait for it. */
export function warmTranslators(): void {
  for (const language of languages) createTranslator(language)
}

function buildTranslator(language: Language): Translate {
  const messages: Messages = {}
  for (const [key, text] of Object.entries(catalogues[language])) messages[key] = compileMessageOrThrow(text)
  const i18n = setupI18n({ locale: language, locales: locales[language], messages: { [language]: messages } })
  const translate = (key: MessageKey, params?: MessageParams) =>
    i18n._(key, params && shownParams(params, language))
  return Object.assign(translate, { language })
}

/**
 * Escapes parameters, because the library decodes `\u003c` and `\x3c` in finished texts, including user input.
 * An escaped backslash is decoded to the original one.
 */
function shownParams(params: MessageParams, language: Language): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, shownParam(value, language)]),
  )
}

function shownParam(value: MessageParams[string], language: Language): string | number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return value.replaceAll('\\', '\\u005c')
  return value instanceof Date ? longMoment(value, language) : longDay(value.day, language)
}
