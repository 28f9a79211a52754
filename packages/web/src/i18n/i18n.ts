import { type Language, locales } from '@gatehouse/contract/language'
import { type Messages, setupI18n } from '@lingui/core'
import { useSyncExternalStore } from 'react'
import { createStore } from '../state/store.ts'
import { type Area, type MessageKey, withUserFields } from './areas.ts'

export type MessageValues = Record<string, string | number | Date>
export type Translate = (key: MessageKey, values?: MessageValues) => string

/**
 * Loaders of the shell's texts and of all other catalogues, split by language so that only one list is
 * loaded.
 */
const languages: Readonly<Record<Language, () => Promise<LanguageTexts>>> = {
  en: () => import('./languages/en.ts'),
  de: () => import('./languages/de.ts'),
  fr: () => import('./languages/fr.ts'),
  it: () => import('./languages/it.ts'),
}

interface LanguageTexts {
  readonly shell: Messages
  readonly areas: Readonly<Record<string, () => Promise<Messages>>>
}

const i18n = setupI18n()
const wantedAreas = new Set<Area>()
const loaded = new Map<string, Promise<void>>()
const overrides = new Map<Language, Messages>()
const current = createStore<Language>('en')
const revision = createStore(0)

i18n.on('change', () => revision.update((count) => count + 1))

function loadCatalogue(area: Area, language: Language): Promise<void> {
  const name = `${area}.${language}`
  const known = loaded.get(name)
  if (known) return known
  const loading = fetchCatalogue(area, language).then(
    // A theme's strings override those loaded later.
    (messages) => i18n.load(language, { ...messages, ...overrides.get(language) }),
    (failure: unknown) => {
      loaded.delete(name)
      throw failure
    },
  )
  loaded.set(name, loading)
  return loading
}

async function fetchCatalogue(area: Area, language: Language): Promise<Messages> {
  const { shell, areas } = await languages[language]()
  if (area === 'shell') return shell
  const load = areas[`../messages/${area}.${language}.json`]
  if (!load) throw new Error(`No message catalogue ${area}.${language}`)
  return load()
}

/** Loads the texts of areas in the current language; resolves at once if they are loaded. */
export async function loadMessages(...areas: Area[]): Promise<void> {
  const all: Area[] = areas.length > 0 ? [...withShared(areas), 'words'] : []
  for (const area of all) wantedAreas.add(area)
  await Promise.all(all.map((area) => loadCatalogue(area, current.get())))
}

/** Loads texts together with the first ones, for parts that are always present. */
export function wantMessages(...areas: Area[]): void {
  for (const area of withShared(areas)) wantedAreas.add(area)
}

function withShared(areas: readonly Area[]): Area[] {
  return areas.some((area) => withUserFields.has(area)) ? [...areas, 'userfields'] : [...areas]
}

/** Loads everything shown so far in another language, then switches in one step. */
export async function activateLanguage(language: Language): Promise<void> {
  wantedAreas.add('shell')
  await Promise.all([...wantedAreas].map((area) => loadCatalogue(area, language)))
  current.set(language)
  i18n.activate(language, locales[language])
}

/** Overrides messages of one language with a theme's strings. */
export function overrideMessages(language: Language, messages: Messages): void {
  overrides.set(language, messages)
  i18n.load(language, messages)
}

export function currentLanguage(): Language {
  return current.get()
}

/** Returns a message in the current language. Components use `useT`, which follows language changes. */
export function t(key: MessageKey, values?: MessageValues): string {
  return i18n._(key, values)
}

/** Returns the text of a key only known at run time, such as the label of a theme's menu entry. */
export function optionalText(key: string): string | undefined {
  return key in i18n.messages ? i18n._(key) : undefined
}

/** Returns the translate function; rerenders when the language or its texts change. */
export function useT(): Translate {
  useSyncExternalStore(revision.subscribe, revision.get)
  return t
}

/** Returns the current language; rerenders when it changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(current.subscribe, current.get)
}
