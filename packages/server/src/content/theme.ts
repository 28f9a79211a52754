import { access, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { isLanguage, type Language } from '@gatehouse/contract/language'
import { z } from 'zod'
import { parseTemplate, type Template, TemplateError } from './page-template.ts'
import { ThemeError } from './theme-error.ts'
import { stringsFile, type ThemeFile, type ThemeStrings, themeFile, themeOverlay } from './theme-schema.ts'

/** A content page in all its languages. English always exists. */
export interface ThemePage {
  templates: ReadonlyMap<Language, Template>
  english: Template
}

/** A validated theme folder. */
export interface Theme extends ThemeFile {
  /** The folder's name, as used in image URLs. */
  name: string
  folder: string
  /** Folders searched for images: its own first, then those of the themes it extends. */
  folders: readonly string[]
  /** Path of the logo on e-mails and receipts. */
  mailMarkFile: string
  strings: Readonly<Record<Language, ThemeStrings>>
  pages: ReadonlyMap<string, ThemePage>
}

/** Loads every theme below a folder, by name. Throws ThemeError. */
export async function loadThemes(folder: string): Promise<ReadonlyMap<string, Theme>> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const themes = await Promise.all(names.map((name) => loadTheme(join(folder, name))))
  return new Map(themes.map((theme) => [theme.name, theme]))
}

/**
 * Loads a theme folder and its sibling that it extends, whose values are the defaults. Throws `ThemeError`,
 * which names the file and the key, if anything is invalid.
 */
export async function loadTheme(folder: string, extending: readonly string[] = []): Promise<Theme> {
  const base = await readBase(folder, extending)
  const [settings, own] = await Promise.all([
    base === undefined ? readJson(folder, 'theme.json', themeFile) : readOverlay(folder, base),
    Promise.all([readAllStrings(folder), readPages(folder)]),
  ])
  const [strings, pages] = own
  const folders = [folder, ...(base?.folders ?? [])]
  const theme = {
    ...settings,
    ...{ name: basename(folder), folder, folders, mailMarkFile: '' },
    strings: base === undefined ? strings : overlaidStrings(base, strings),
    pages: new Map([...(base?.pages ?? []), ...pages]),
  }
  checkReferences(theme)
  await checkImages(theme)
  return { ...theme, mailMarkFile: await imageFile(theme, theme.images.mailMark) }
}

const baseOnly = z.looseObject({ extends: themeOverlay.shape.extends.optional() })

async function readBase(folder: string, extending: readonly string[]): Promise<Theme | undefined> {
  const { extends: name } = await readJson(folder, 'theme.json', baseOnly)
  if (name === undefined) return undefined
  const own = basename(folder)
  if (name === own || extending.includes(name)) {
    throw new ThemeError('theme.json', 'extends', `"${name}" extends this theme`)
  }
  return loadTheme(join(dirname(folder), name), [...extending, own])
}

async function readOverlay(folder: string, base: Theme): Promise<ThemeFile> {
  const { menu, faq, colours, images } = await readJson(folder, 'theme.json', themeOverlay)
  return {
    menu: menu ?? base.menu,
    faq: faq ?? base.faq,
    colours: { ...base.colours, ...colours },
    images: { ...base.images, ...images },
  }
}

function overlaidStrings({ strings }: Theme, own: Record<Language, ThemeStrings>) {
  const { en, de, fr, it } = strings
  return {
    en: { ...en, ...own.en },
    de: { ...de, ...own.de },
    fr: { ...fr, ...own.fr },
    it: { ...it, ...own.it },
  }
}

/** Returns a title of the theme in the given language, or in English if it is missing. */
export function themeString(theme: Theme, key: string, language: Language): string | undefined {
  return theme.strings[language][key] ?? theme.strings.en[key]
}

function checkReferences({ menu, faq, pages, strings }: Theme): void {
  const labels = new Set<string>()
  for (const [index, { label, page, title }] of menu.entries()) {
    const key = `menu.${index}`
    if (labels.has(label)) throw new ThemeError('theme.json', `${key}.label`, `"${label}" is used twice`)
    labels.add(label)
    if (page && !pages.has(page))
      throw new ThemeError('theme.json', `${key}.page`, `page "${page}" does not exist`)
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

async function checkImages(theme: Theme): Promise<void> {
  for (const [key, file] of Object.entries(theme.images)) {
    await imageFile(theme, file).catch((cause: unknown) => {
      throw new ThemeError('theme.json', `images.${key}`, `file "${file}" does not exist`, { cause })
    })
  }
}

/** Returns the path of an image in the first of the theme's folders that has it. Rejects if none has. */
async function imageFile({ folders }: Pick<Theme, 'folders'>, file: string): Promise<string> {
  const [folder, ...rest] = folders
  const path = join(folder ?? '', file)
  return access(path).then(
    () => path,
    (error: unknown) => {
      if (rest.length === 0) throw error
      return imageFile({ folders: rest }, file)
    },
  )
}

async function readAllStrings(folder: string): Promise<Record<Language, ThemeStrings>> {
  const strings: Record<Language, ThemeStrings> = { en: {}, de: {}, fr: {}, it: {} }
  for (const name of await filesIn(join(folder, 'strings'))) {
    const file = `strings/${name}`
    const language = name.replace(/\.json$/, '')
    if (!isLanguage(language))
      throw new ThemeError(file, undefined, 'is not named after a supported language')
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

/** Lists the files below a folder as relative paths. A missing folder has none. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** Returns the theme of a brand. Brands only name loaded themes. */
export function themeOf(themes: ReadonlyMap<string, Theme>, brand: { readonly theme: string }): Theme {
  const theme = themes.get(brand.theme)
  if (theme === undefined) throw new RangeError(`theme "${brand.theme}" does not exist`)
  return theme
}
