import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChosenScheme } from '@gatehouse/contract/color-scheme'
import { offeredFolderTypes } from '@gatehouse/contract/directory/folders'
import { type Language, languages } from '@gatehouse/contract/language'
import type { PageBoot, PageConfig } from '@gatehouse/contract/page-config'
import type { Variant } from '@gatehouse/contract/route'
import { z } from 'zod'
import { countries } from '../platform/country-database/countries.ts'
import { escapeHtml } from '../platform/mailer/templates/escape-html.ts'
import { presentTenant } from '../platform/tenant.ts'
import type { Brand } from '../tenants/brand.ts'
import { companionHead, isCompanionPage } from './companion-page.ts'
import type { ContentConfig } from './content-settings.ts'
import { menuFor } from './menu.ts'
import type { TemplateValues } from './page-template.ts'
import { type Theme, themeOf } from './theme.ts'

const chunk = z.object({
  file: z.string(),
  isEntry: z.boolean().optional(),
  css: z.array(z.string()).optional(),
  assets: z.array(z.string()).optional(),
  imports: z.array(z.string()).optional(),
})

const manifestSchema = z.record(z.string(), chunk)

/** Files that the page preloads. */
interface PageAssets {
  readonly scripts: readonly string[]
  readonly preloads: readonly string[]
  readonly styles: readonly string[]
  readonly fonts: readonly string[]
  /** Initial texts of each language, required before the page can render. */
  readonly texts: ReadonlyMap<string, string>
}

/** Thrown if the web application has not been built. */
export class WebBuildMissing extends Error {
  override name = 'WebBuildMissing'
}

/** CSP nonces of the page's scripts and styles. They differ because page code can read the style nonce. */
export interface PageNonces {
  readonly script: string
  readonly style: string
}

/** The parts of a page that vary by request. */
export interface PageRequest {
  readonly brand: Brand
  readonly variant: Variant
  readonly language: Language
  /** Undefined: the system's colour scheme. */
  readonly scheme?: ChosenScheme | undefined
  readonly path: string
  readonly nonces: PageNonces
}

/** Renders the application's single HTML page: configuration and asset links, no inline code. */
export class PageHost {
  readonly #config: ContentConfig
  readonly #themes: ReadonlyMap<string, Theme>
  readonly #assets: PageAssets
  readonly #companion: PageAssets

  /** `companion`: assets of the companion page, if it is a separate application. */
  constructor(
    config: ContentConfig,
    themes: ReadonlyMap<string, Theme>,
    assets: PageAssets,
    companion = assets,
  ) {
    this.#config = config
    this.#themes = themes
    this.#assets = assets
    this.#companion = companion
  }

  /** Returns the HTML of a page. */
  page({ brand, variant, language, scheme, path, nonces }: PageRequest): string {
    const isCompanion = variant === 'user' && isCompanionPage(path)
    const assets = isCompanion ? this.#companion : this.#assets
    const { scripts, styles, fonts } = assets
    const texts = assets.texts.get(language)
    const preloads = [...assets.preloads, ...(texts === undefined ? [] : [texts])]
    const look = themeOf(this.#themes, brand)
    const theme = `/themes/${look.name}`
    return `<!doctype html>
<html lang="${language}"${scheme === undefined ? '' : ` data-theme="${scheme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme ?? 'light dark'}">
<meta name="csp-nonce" content="${nonces.style}">
<meta property="csp-nonce" nonce="${nonces.script}">
<title>${escapeHtml(brand.name)}</title>
<link rel="icon" href="${theme}/${look.images.favicon}" type="image/svg+xml">
${isCompanion ? companionHead(look) : ''}${fonts.map((file) => `<link rel="preload" href="${file}" as="font" type="font/woff2" crossorigin>`).join('\n')}
${styles.map((file) => `<link rel="stylesheet" href="${file}">`).join('\n')}
<link rel="stylesheet" href="${theme}/theme.css">
${preloads.map((file) => `<link rel="modulepreload" href="${file}" nonce="${nonces.script}">`).join('\n')}
<script type="application/json" id="config">${this.#boot(variant, brand, look)}</script>
${scripts.map((file) => `<script type="module" src="${file}" nonce="${nonces.script}"></script>`).join('\n')}
</head>
<body class="page-${bodyClass(path)}">
<div id="app"></div>
<noscript>${escapeHtml(brand.name)}: JavaScript</noscript>
</body>
</html>
`
  }

  /** Returns the configuration as a data block. "<" is escaped so that no value can close the block. */
  #boot(variant: Variant, brand: Brand, theme: Theme): string {
    const boot: PageBoot = {
      config: pageConfig(this.#config, theme, variant, brand),
      isAdmin: variant === 'admin',
      isReseller: variant === 'reseller',
    }
    return JSON.stringify(boot).replaceAll('<', '\\u003c')
  }
}

/** Returns the configuration keys of a page; screens reference §1. */
export function pageConfig(config: ContentConfig, theme: Theme, variant: Variant, brand: Brand): PageConfig {
  return {
    'app.name': brand.name,
    'app.url': brand.url,
    'app.installation_url': config.APP_URL,
    'app.domain': config.domain,
    'app.theme': theme.name,
    'app.logo': `/themes/${theme.name}/${theme.images.logo}`,
    'app.tenant': presentTenant(brand.tenantId),
    'app.webmail_url': config.APP_WEBMAIL_URL ?? null,
    'app.mail_connected': config.GROUPWARE_BACKEND !== 'null',
    'app.support_email': brand.supportEmail,
    'app.company.copyright': config.COMPANY_COPYRIGHT,
    'app.company.footer': config.COMPANY_FOOTER ?? null,
    'app.companion_download_link': config.COMPANION_DOWNLOAD_LINK ?? null,
    'app.shared_folder_types': [...offeredFolderTypes(config.APP_WITH_GROUPWARE_FOLDERS)],
    'app.with_signup': config.APP_WITH_SIGNUP,
    'app.retention_days': config.RETENTION_DAYS,
    'app.build': config.build,
    'app.files_origin': config.FILES_ORIGIN ?? null,
    'mail.from.address': config.mailFrom.address,
    countries: { ...countries },
    languages: [...config.locales],
    menu: menuFor(theme, { variant, languages: config.locales }),
    paymentProvider: config.paymentProvider ?? '',
    stripePK: null,
    jsapp: `${variant}.js`,
    view: 'root',
  }
}

/** Returns the configuration keys that content pages may use. */
export function pageValues(config: ContentConfig, theme: Theme, brand: Brand): TemplateValues {
  const keys = Object.entries(pageConfig(config, theme, 'user', brand))
  return Object.fromEntries(
    keys.filter(
      (entry): entry is [string, string | number | boolean | null] =>
        typeof entry[1] !== 'object' || entry[1] === null,
    ),
  )
}

/** Returns the first path segment, reduced to characters allowed in a class name. */
function bodyClass(path: string): string {
  const segment = path.split('/')[1]?.toLowerCase() ?? ''
  return /^[a-z0-9-]+$/.test(segment) ? segment : ''
}

/** Entry points of the portal and of the companion page. */
export const portalEntry = 'src/main.tsx'
export const companionEntry = 'src/companion-app/main.tsx'

/** Returns the assets of the built application or of the development server. */
export async function pageAssets(
  webFolder: string,
  development: boolean,
  entryFile = portalEntry,
): Promise<PageAssets> {
  if (development) {
    return {
      scripts: ['/@vite/client', `/${entryFile}`],
      preloads: [],
      styles: [],
      fonts: [],
      texts: new Map(),
    }
  }
  const file = join(webFolder, '.vite', 'manifest.json')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new WebBuildMissing(`${file} is missing: run "npm run build" first`)
  })
  const manifest = manifestSchema.parse(JSON.parse(text))
  const entry = manifest[entryFile]
  if (entry?.isEntry !== true) throw new WebBuildMissing(`${file} has no entry ${entryFile}`)
  const needed = [...closure(manifest, entry)]
  return {
    scripts: [`/${entry.file}`],
    preloads: needed.filter((item) => item !== entry).map((item) => `/${item.file}`),
    styles: needed.flatMap((item) => item.css ?? []).map((name) => `/${name}`),
    fonts: needed
      .flatMap((item) => item.assets ?? [])
      .filter((name) => /latin-wght-normal.*\.woff2$/.test(name) && !/latin-ext/.test(name))
      .map((name) => `/${name}`),
    texts: new Map(
      languages.flatMap((language): [string, string][] => {
        const messages = manifest[`src/i18n/languages/${language}.ts`]
        return messages === undefined ? [] : [[language, `/${messages.file}`]]
      }),
    ),
  }
}

type Chunk = z.infer<typeof chunk>

/** Returns a chunk and all its static imports, transitively. */
function closure(manifest: Record<string, Chunk>, start: Chunk, seen = new Set<Chunk>()): Set<Chunk> {
  if (seen.has(start)) return seen
  seen.add(start)
  for (const name of start.imports ?? []) {
    const next = manifest[name]
    if (next !== undefined) closure(manifest, next, seen)
  }
  return seen
}
