import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { colourNames } from './theme-schema.ts'

/** The theme shipped with the product. */
export const defaultThemeFolder = fileURLToPath(new URL('../../../../themes/default', import.meta.url))

export const themeSettings = {
  menu: [{ label: 'help', location: '/help', page: 'help' }],
  faq: { '/signup': [{ label: 'why', href: '/help' }] },
  colours: Object.fromEntries(colourNames.map((name) => [name, { light: '#112233', dark: '#ddeeff' }])),
  images: { logo: 'images/logo.svg', favicon: 'images/logo.svg', mailMark: 'images/mark.png' },
}

export type ThemeFiles = Readonly<Record<string, string | undefined>>

const files: ThemeFiles = {
  'theme.json': JSON.stringify(themeSettings),
  'strings/en.json': JSON.stringify({ 'menu.help': 'Help', 'faq.why': 'Why?' }),
  'strings/de.json': JSON.stringify({ 'menu.help': 'Hilfe' }),
  'pages/help.en.html': '<h1>Help with {{app.name}}</h1>',
  'pages/help.de.html': '<h1>Hilfe zu {{app.name}}</h1>',
  'images/logo.svg': '<svg/>',
  'images/mark.png': 'png',
}

/** Writes a small theme for a test, with files changed, added or (if undefined) omitted. */
export async function writeTheme(
  changes: ThemeFiles = {},
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'theme-'))
  for (const [file, contents] of Object.entries({ ...files, ...changes })) {
    if (contents === undefined) continue
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), contents)
  }
  return { folder, remove: () => rm(folder, { recursive: true }) }
}

/** Returns the `theme.json` of the small theme with some settings replaced. */
export function settingsWith(changes: Record<string, unknown>): ThemeFiles {
  return { 'theme.json': JSON.stringify({ ...themeSettings, ...changes }) }
}
