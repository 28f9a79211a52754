import { access, readdir, readFile } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { isLanguage, type Language } from '@gatehouse/contract/language'
import type { z } from 'zod'
import { parseTemplate, type Template, TemplateError } from './page-template.ts'
import { ThemeError } from './theme-error.ts'
import { stringsFile, type ThemeFile, type ThemeStrings, themeFile } from './theme-schema.ts'

/** A content page in the languages that it exists in; English always does. */
export interface ThemePage {
  templates: ReadonlyMap<Language, Template>
  english: Template
}

/** A theme folder, read and checked. */
export interface Theme extends ThemeFile {
  /** The folder's own name, as in the addresses of its images. */
  name: string
  folder: string
  strings: Readonly<Record<Language, ThemeStrings>>
  pages: ReadonlyMap<string, ThemePage>
}

/** Reads a theme folder. Whatever is wrong with it is a `ThemeError` that names file and key. */
export async function loadTheme(folder: string): Promise<Theme> {
  const settings = await readJson(folder, 'theme.json', themeFile)
  const [strings, pages] = await Promise.all([readAllStrings(folder), readPages(folder)])
  const theme = { ...settings, name: basename(folder), folder, strings, pages }
  checkReferences(theme)
  await checkImages(theme)
  return theme
}

/** A title of the theme in a language, or in English where the language lacks it. */
export function themeString(theme: Theme, key: string, language: Language): string | undefined {
  return theme.strings[language][key] ?? theme.strings.en[key]
}

function checkReferences({ menu, faq, pages, strings }: Theme): void {
  const labels = new Set<string>()
  for (const [index, { label, page, title }] of menu.entries()) {
    const key = `menu.${index}`
    if (labels.has(label)) throw new ThemeError('theme.json', `${key}.label`, `"${label}" stands there twice`)
    labels.add(label)
    if (page && !pages.has(page))
      throw new ThemeError('theme.json', `${key}.page`, `there is no page "${page}"`)
    if (!title && !strings.en[`menu.${label}`]) {
      throw new ThemeError('strings/en.json', `menu.${label}`, 'is missing')
    }
  }
  for (const { label } of Object.values(faq).flat()) {
    if (!strings.en[`faq.${label}`]) throw new ThemeError('strings/en.json', `faq.${label}`, 'is missing')
  }
  for (const [language, own] of Object.entries(strings)) {
    const unknown = Object.keys(own).find((key) => !strings.en[key])
    if (unknown) throw new ThemeError(`strings/${language}.json`, unknown, 'does not exist in English')
  }
}

async function checkImages({ folder, images }: Theme): Promise<void> {
  for (const [key, file] of Object.entries(images)) {
    await access(join(folder, file)).catch((cause: unknown) => {
      throw new ThemeError('theme.json', `images.${key}`, `there is no file "${file}"`, { cause })
    })
  }
}

async function readAllStrings(folder: string): Promise<Record<Language, ThemeStrings>> {
  const strings: Record<Language, ThemeStrings> = { en: {}, de: {}, fr: {}, it: {} }
  for (const name of await filesIn(join(folder, 'strings'))) {
    const file = `strings/${name}`
    const language = name.replace(/\.json$/, '')
    if (!isLanguage(language))
      throw new ThemeError(file, undefined, 'is not named after a language of the product')
    strings[language] = await readJson(folder, file, stringsFile)
  }
  return strings
}

async function readPages(folder: string): Promise<Map<string, ThemePage>> {
  const languagesOf = new Map<string, Map<Language, Template>>()
  for (const path of await filesIn(join(folder, 'pages'))) {
    const file = `pages/${path.split(sep).join('/')}`
    const [, name, language] = /^pages\/([a-z0-9]+(?:\/[a-z0-9]+)*)\.([a-z]+)\.html$/.exec(file) ?? []
    if (!name || !isLanguage(language)) {
      throw new ThemeError(
        file,
        undefined,
        'is not named <page>.<language>.html in lower-case letters and digits',
      )
    }
    const templates = languagesOf.get(name) ?? new Map<Language, Template>()
    templates.set(language, await readTemplate(folder, file))
    languagesOf.set(name, templates)
  }
  const pages = new Map<string, ThemePage>()
  for (const [name, templates] of languagesOf) {
    const english = templates.get('en')
    if (!english) throw new ThemeError(`pages/${name}.en.html`, undefined, 'is missing')
    pages.set(name, { templates, english })
  }
  return pages
}

async function readTemplate(folder: string, file: string): Promise<Template> {
  try {
    return parseTemplate(await readText(folder, file))
  } catch (cause) {
    if (cause instanceof TemplateError)
      throw new ThemeError(file, cause.placeholder, cause.message, { cause })
    throw cause
  }
}

async function readJson<T>(folder: string, file: string, schema: z.ZodType<T>): Promise<T> {
  const result = schema.safeParse(parseJson(file, await readText(folder, file)))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const path = [...(issue?.path ?? []), unknownKey].filter((part) => part !== undefined).map(String)
  const reason = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message
  throw new ThemeError(file, path.join('.') || undefined, reason ?? 'is not valid', { cause: result.error })
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ThemeError(file, undefined, 'is not JSON', { cause })
  }
}

async function readText(folder: string, file: string): Promise<string> {
  return readFile(join(folder, file), 'utf8').catch((cause: unknown) => {
    throw new ThemeError(file, undefined, 'cannot be read', { cause })
  })
}

/** The files below a folder, as paths relative to it; a folder that is not there has none. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
