import { type Language, languages, locales } from '@gatehouse/contract/language'
import { type Messages, setupI18n } from '@lingui/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { catalogues, type MessageKey } from './catalogues.ts'
import { longDay, longMoment } from './dates.ts'

export type { MessageKey } from './catalogues.ts'

/** What a text may be given to fill its places; a moment is shown in words, UTC. */
export type MessageParams = Readonly<Record<string, string | number | Date | Day>>

/** A whole day; each language writes it its own way. A `Date` alone is a moment and has its time. */
export interface Day {
  readonly day: Date
}

/** Gives the text of a key in one language. The result is plain text: escape it where it becomes HTML. */
export interface Translate {
  (key: MessageKey, params?: MessageParams): string
  /** Of the texts that it gives. */
  readonly language: Language
}

const translators = new Map<Language, Translate>()

/** The translator of a language. Its texts are compiled on first use and kept. */
export function createTranslator(language: Language): Translate {
  const known = translators.get(language)
  if (known) return known
  const translate = buildTranslator(language)
  translators.set(language, translate)
  return translate
}

/** Compiles every language at start-up, so that no request waits for it. */
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
 * The library decodes `\u003c` and `\x3c` in finished texts, in what people typed as well.
 * A backslash that is itself written that way comes out as the backslash that went in.
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
